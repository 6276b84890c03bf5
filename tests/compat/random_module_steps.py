"""The vocabulary of random networks, losses and optimizers: a grammar, and programs out of it.

In a text of the grammar ``<rule>`` is one of the rule's lines and ``<a|b|c>`` one of three; now and then
it is a wrong value instead. A program is a list of statements about a module `m`, its input `x`, an
optimizer `opt` and a scheduler `sched`; `show` writes down what is compared.
"""

import random
import re

PRELUDE = """
import collections, copy, importlib, io, math, pickle
nn, F, optim = torch.nn, torch.nn.functional, torch.optim
parametrize, prune, parametrizations, rnn = (
    importlib.import_module(f"{torch.__name__}.nn.utils.{name}")
    for name in ("parametrize", "prune", "parametrizations", "rnn")
)
importlib.import_module(f"{torch.__name__}.optim.swa_utils")
schedulers = optim.lr_scheduler
nan, inf = float("nan"), float("inf")
log = []
torch.manual_seed(0)


def T(*shape):
    n = math.prod(shape)
    return torch.arange(n, dtype=torch.float64).mul(1.7).add(1).sin().reshape(shape)


def show(*values):
    for value in values:
        log.append(keep(value))


def keep(value):
    if isinstance(value, (nn.Module, rnn.PackedSequence)):
        return repr(value)
    if isinstance(value, torch.Tensor):
        return (type(value).__name__, value.requires_grad, value.detach().clone())
    if isinstance(value, dict):
        return [type(value).__name__, [(k, keep(v)) for k, v in value.items()]]
    if isinstance(value, (list, tuple, set)):
        return [type(value).__name__, [keep(v) for v in value]]
    return value


def total(y):
    if isinstance(y, rnn.PackedSequence):
        y = y.data
    if isinstance(y, (tuple, list)):
        return sum(total(v) for v in y if v is not None)
    y = y.abs() if y.is_complex() else y
    return (y * T(*y.shape).to(y.dtype)).sum() if y.is_floating_point() else 0


def part(m, name="weight"):
    return next(a for a in m.modules() if getattr(a, name, None) is not None and not lazy(a))


def lazy(m):
    return hasattr(m, "has_uninitialized_params") and m.has_uninitialized_params()


def note(name, result=None):
    def hook(*args):
        log.append((name, len(args), [keep(a) for a in args[1:]]))
        return result
    return hook


class Half(nn.Module):
    def forward(self, x):
        return x * 0.5

    def right_inverse(self, x):
        return x * 2


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).mT


class Net(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = a, b
        self.shared = a
        self.scale = nn.Parameter(torch.ones(()))
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("hidden", torch.ones(2), persistent=False)
        self.register_parameter("none", None)

    def forward(self, x, *, twice=False):
        self.count += 1
        y = self.b(self.a(x)) * self.scale
        return y * 2 if twice else y

    def extra_repr(self):
        return "a net"


class Counted(nn.Linear):
    def get_extra_state(self):
        return {"seen": 3}

    def set_extra_state(self, state):
        log.append(state)
"""

WRONG = "None 'abc' -1 0 2.5 (1,) [] (1,2,3,4) True torch.float64 nan 'mean' 1j -0.5 {} torch.ones(2)".split()

GRAMMAR = {
    # ---- modules, by what they take
    "activation": """nn.ReLU(<|inplace=True>)|nn.Tanh()|nn.Sigmoid()|nn.GELU(<|'tanh'|approximate='tanh'|'none'>)
        nn.ELU(<|0.5|alpha=2,inplace=True|-1>)|nn.SELU()|nn.CELU(<|0.7|0>)|nn.SiLU(<|True>)|nn.Mish()|nn.Hardswish()
        nn.Hardsigmoid()|nn.Hardtanh(<|-2,2|1,-1|min_val=0|min_value=0,max_value=1>)|nn.ReLU6()|nn.LeakyReLU(<|0.2|-1>)
        nn.LogSigmoid()|nn.Softplus(<|2|beta=0.5,threshold=1|0>)|nn.Softshrink(<|0.1|-1>)|nn.Hardshrink(<|0.1>)|nn.Tanhshrink()
        nn.Softsign()|nn.Threshold(<0.1|1>,<0|2.5>)|nn.PReLU(<|1|4|init=0.3|3>)|nn.RReLU(<|0.1,0.2|0.3,0.1>)
        nn.Softmax(<|1|dim=-1|dim=0>)|nn.LogSoftmax(<|1|dim=-1>)|nn.Softmin(<|dim=1>)|nn.GLU(<|1|dim=-1>)
        nn.Identity(<|3|3,a=1>)|nn.Dropout(<|0.2|p=1|p=0|1.5>)|nn.AlphaDropout(<|0.2|-1>)|nn.FeatureAlphaDropout(<|0.3>)
        nn.Flatten(<|0|1,2|start_dim=2|2,1>)|nn.Unflatten(1,<(2,2)|(2,-1)|(3,2)|[2,2]>)|nn.Softmax2d()
        nn.RMSNorm(<<4>|[4],eps=1e-3|4,elementwise_affine=False>)|nn.LayerNorm(<<4>|[4],1e-3|(4,),bias=False|4,elementwise_affine=False>)
        nn.GroupNorm(<2,4|1,4,affine=False|3,4|4,4,eps=0.1>)|nn.LocalResponseNorm(<2|3,alpha=0.1|2,0.1,0.5,2|0>)
        nn.CrossMapLRN2d(2)|nn.ChannelShuffle(<2|4|3>)""",
    "opt-bias": "|||,bias=False|,dtype=torch.float64|,device='cpu',dtype=torch.float32|,bias=True|,dtype=torch.bfloat16",
    "n": "4|4|4|4|4|4|3|2|6",
    "vector": """nn.Linear(<n>,<n><opt-bias>)|nn.Linear(<n>,<n>)|nn.LazyLinear(<n><opt-bias>)|nn.BatchNorm1d(<n><norm>)
        nn.LazyBatchNorm1d(<|eps=0.1|affine=False>)|<activation>|<activation>|nn.Linear(<n>,<n>)|nn.Linear(in_features=<n>,out_features=0)
        Counted(<n>,<n>)|nn.ConstantPad1d(<1|(0,2)|(-1,1)>,<0|0.5>)|nn.NonDynamicallyQuantizableLinear(4,4)""",
    "norm": """||,eps=0.1|,momentum=None|,affine=False|,track_running_stats=False|,0.1,0.5|,momentum=0.0,affine=False
        ,dtype=torch.float64|,eps=-1|,bias=False""",
    "size": "2|3|1|2|3|(2,)",
    "size2": "2|3|1|(2,3)|(1,2)|[2,2]|3|(2,)|(1,2,3)",
    "size3": "2|1|(2,1,2)|(1,2,2)|[2,2,2]|2|(2,2)",
    "conv": """||,bias=False|,stride=2|,padding=1|,padding=2,padding_mode='reflect'|,padding='same'|,padding='valid',bias=False
        ,dilation=2|,groups=2|,groups=4,padding=1|,groups=3|,padding=1,padding_mode='circular'|,padding=1,padding_mode='replicate'
        ,stride=2,padding=1,dtype=torch.float64|,padding='same',stride=2|,padding_mode='x'|,stride=0|,padding=-1
        ,2,1,1,2|,padding='other'|,padding=4,padding_mode='reflect'|,padding='same',padding_mode='zeros',dilation=2""",
    "transposed": """||,bias=False|,stride=2|,stride=2,padding=1,output_padding=1|,groups=2|,dilation=2|,output_padding=1
        ,padding_mode='reflect'|,stride=3,output_padding=2|,padding=9|,groups=3""",
    "maxpool": "||,1|,stride=1|,padding=1|,dilation=2|,ceil_mode=True|,return_indices=True|,stride=2,padding=1,ceil_mode=True|,padding=3|,stride=0",
    "avgpool": "||,1|,stride=1|,padding=1|,ceil_mode=True|,1,1,False,False|,stride=2,padding=1,ceil_mode=True,count_include_pad=False|,padding=2|,stride=0",
    "divide": "|||,divisor_override=3|,divisor_override=0",
    "sequence": """nn.Conv1d(<n>,<n>,<size><conv>)|nn.Conv1d(4,4,<size><conv>)|nn.ConvTranspose1d(<n>,<n>,<size><transposed>)|nn.LazyConv1d(<n>,<size><conv>)
        nn.MaxPool1d(<size><maxpool>)|nn.AvgPool1d(<size>)|nn.AvgPool1d(<size><avgpool>)|nn.LPPool1d(<2|1|3|inf>,<2|3>)|nn.LPPool1d(2,3,stride=<1|2>,ceil_mode=True)
        nn.AdaptiveAvgPool1d(<1|3|7|0|(2,)>)|nn.AdaptiveMaxPool1d(<1|3|7>,<True|False>)|nn.BatchNorm1d(<n><norm>)|nn.InstanceNorm1d(<n><norm>)|nn.LazyInstanceNorm1d()
        nn.ReflectionPad1d(<1|(0,2)|6|(-1,1)>)|nn.ReplicationPad1d(<1|(0,2)|8>)|nn.ZeroPad1d(<1|(0,2)|(-2,0)>)|nn.CircularPad1d(<1|(2,3)|8>)|nn.ConstantPad1d(<1|(1,-2)>,<2|0.5>)
        nn.Upsample(<scale_factor=2|size=3|scale_factor=1.5,mode='linear'|scale_factor=2,mode='linear',align_corners=True|scale_factor=2,mode='nearest-exact'|mode='linear'>)
        nn.Fold(<(4,4)|(2,3)>,<(2,2)|(2,1)>)|nn.Dropout1d(<|0.2>)|<activation>|<activation>|nn.Conv1d(4,<n>,<size><conv>)|nn.RMSNorm((4,6))|nn.LayerNorm(6)""",
    "image": """nn.Conv2d(<n>,<n>,<size2><conv>)|nn.Conv2d(4,4,<size2><conv>)|nn.Conv2d(4,8,<size2><conv>)|nn.ConvTranspose2d(<n>,<n>,<size2><transposed>)|nn.LazyConv2d(<n>,<size2><conv>)|nn.LazyConvTranspose2d(<n>,<size2>)
        nn.MaxPool2d(<size2><maxpool>)|nn.AvgPool2d(<size2><avgpool>)|nn.AvgPool2d(2<divide>)|nn.LPPool2d(<2|1|3>,<2|(2,3)>)|nn.AdaptiveAvgPool2d(<1|(3,2)|(None,2)|7|(2,)>)|nn.AdaptiveMaxPool2d(<1|(3,2)|(None,2)>,<True|False>)
        nn.FractionalMaxPool2d(<2|(2,3)>,<output_size=2|output_ratio=0.5|output_size=9|output_ratio=1.5|output_size=2,return_indices=True>)|nn.BatchNorm2d(<n><norm>)|nn.InstanceNorm2d(<n><norm>)|nn.LazyBatchNorm2d()
        nn.ReflectionPad2d(<1|(0,2,1,0)|6>)|nn.ReplicationPad2d(<1|(0,2,1,1)>)|nn.ZeroPad2d(<1|(0,2,-1,0)>)|nn.CircularPad2d(<1|(2,3,1,0)|8>)|nn.ConstantPad2d(<1|(1,-2,0,0)>,2)|nn.SyncBatchNorm(4)
        nn.Upsample(<scale_factor=2|size=(3,7)|scale_factor=1.5,mode='bilinear'|scale_factor=2,mode='bicubic',align_corners=True|scale_factor=(2,1.5),mode='nearest-exact'|scale_factor=1.5,recompute_scale_factor=True>)
        nn.UpsamplingNearest2d(<scale_factor=2|size=5>)|nn.UpsamplingBilinear2d(<scale_factor=2|(3,4)|size=5>)|nn.PixelShuffle(<2|1|3|0>)|nn.PixelUnshuffle(<1|2|5|0>)|nn.Unfold(<2|(2,3)|3,padding=1,stride=2|9|2,dilation=2>)|nn.Dropout2d(<|0.2|2>)
        <activation>|<activation>|nn.ChannelShuffle(2)|nn.Softmax2d()|nn.MaxUnpool2d(2)|nn.GroupNorm(2,4)|nn.LayerNorm((4,5,6))""",
    "volume": """nn.Conv3d(<n>,<n>,<size3><conv>)|nn.Conv3d(4,4,<size3><conv>)|nn.ConvTranspose3d(<n>,<n>,<size3><transposed>)|nn.LazyConv3d(<n>,<size3>)|nn.MaxPool3d(<size3><maxpool>)|nn.AvgPool3d(<size3><avgpool>)|nn.LPPool3d(2,2)
        nn.AdaptiveAvgPool3d(<1|(3,2,1)|(None,2,2)>)|nn.AdaptiveMaxPool3d(<1|(3,2,2)>)|nn.FractionalMaxPool3d(2,output_size=2)|nn.BatchNorm3d(<n><norm>)|nn.InstanceNorm3d(<n><norm>)|nn.ReplicationPad3d(<1|(0,2,1,1,0,1)>)|nn.ReflectionPad3d(1)
        nn.ZeroPad3d(1)|nn.CircularPad3d(1)|nn.ConstantPad3d(1,0.5)|nn.Upsample(<scale_factor=2|scale_factor=1.5,mode='trilinear'|size=(2,3,4)>)|nn.Dropout3d(<|0.2>)|<activation>""",
    "tokens": """nn.Embedding(<10|10|5>,<n><|,padding_idx=1|,padding_idx=-1|,max_norm=0.5|,sparse=True|,scale_grad_by_freq=True|,padding_idx=12|,max_norm=1,norm_type=1|,_weight=torch.ones(10,4)|,_weight=torch.ones(3,4)>)
        nn.EmbeddingBag(10,<n><|,mode='sum'|,mode='max'|,sparse=True|,padding_idx=2|,include_last_offset=True|,mode='abc'|,max_norm=0.5|,scale_grad_by_freq=True,mode='sum'|,mode='max',sparse=True>)
        nn.Embedding.from_pretrained(torch.ones(<10|5>,3)<|,freeze=False|,padding_idx=0|,sparse=True>)|nn.EmbeddingBag.from_pretrained(torch.ones(10,3)<|,freeze=False|,mode='sum'>)""",
    "recurrent": """nn.<RNN|GRU|LSTM|LSTM>(<n>,<3|2|5|0><rnnopt>)|nn.<RNN|GRU|LSTM>(4,<3|2><rnnopt>)|nn.RNN(4,3<rnnopt>,nonlinearity=<'relu'|'tanh'|'sigmoid'>)|nn.RNNBase(<'LSTM'|'GRU'|'RNN_TANH'|'X'>,4,3<rnnopt>)
        nn.LSTM(4,3,proj_size=<2|1|3|5|-1><rnnopt>)|nn.GRU(4,3,proj_size=2)|nn.RNN(4,3,<1|2>,<'relu'|'tanh'|True|0.5>)""",
    "rnnopt": "||,num_layers=2|,batch_first=True|,bidirectional=True|,bias=False|,num_layers=2,dropout=0.5|,dropout=0.5|,num_layers=0|,dropout=2|,num_layers=2,bidirectional=True,batch_first=True|,dtype=torch.float64|,num_layers=3,bias=False",
    "attention": """nn.MultiheadAttention(<4|6>,<2|1|3|4><|,dropout=0.1|,bias=False|,add_bias_kv=True|,add_zero_attn=True|,kdim=4,vdim=4|,kdim=3,vdim=2|,batch_first=True|,add_bias_kv=True,bias=False>)""",
    "transformer": """nn.TransformerEncoderLayer(<4|4|4|6>,<2|1|4|3>,<8|5><tropt>)|nn.TransformerDecoderLayer(4,<2|1>,8<tropt>)|nn.TransformerEncoder(nn.TransformerEncoderLayer(4,2,8<tropt>),<1|2|0><|,norm=nn.LayerNorm(4)|,enable_nested_tensor=False>)
        nn.TransformerDecoder(nn.TransformerDecoderLayer(4,2,8<tropt>),<1|2>)|nn.Transformer(4,2,<1|2>,<1|2|0>,8<tropt>)""",
    "tropt": "||,dropout=0|,0.2|,norm_first=True|,batch_first=True|,activation='gelu'|,activation='x'|,activation=F.silu|,bias=False|,layer_norm_eps=0.1,batch_first=True|,dropout=0,activation=nn.ReLU()",
    # ---- losses
    "reduction": "||,reduction='sum'|,reduction='none'|,reduction='mean'|,reduction='abc'|,reduction=None",
    "old": "|||||,size_average=False|,reduce=False|,size_average=True,reduce=True",
    "classes": "torch.tensor([1,0,2])|torch.tensor([1,0,2])|torch.tensor([1,0,-100])|torch.tensor([0,3,1])|torch.tensor([1,0,9])|torch.tensor([1,0])|torch.tensor([1.,0.,2.])|torch.tensor([[1,0,2]])|torch.tensor([1,0,2],dtype=torch.int32)|torch.tensor([1,0,2],dtype=torch.uint8)|torch.tensor(1)|(T(3,4)).softmax(1)|torch.tensor([-1,0,2])",
    "weight": "||,weight=torch.ones(4)|,weight=T(4).abs()|,weight=T(3)|,weight=T(4).abs().float()|,weight=T(4,1)|,weight=torch.arange(4)",
    "real": "T(3,4)|T(3,4)|T(3,4)|T(3,4).float()|T(3)|T(4)|T(3,1)|T()|T(0,4)|T(3,4).bfloat16()|torch.ones(3,4,dtype=torch.int64)|T(2,4)|T(3,4).half()|T(3,4).to(torch.complex128)|torch.ones(3,4,dtype=torch.bool)|T(3,4).requires_grad_()|T(4,3).t()|T(2,3,4)",
    "unit": "T(3,4).sigmoid()|T(3,4).sigmoid()|T(3,4).abs()|T(3,4)|T(3)|T(3,4).sigmoid().float()|T(3,4).round()|torch.ones(3,4)|torch.ones(3,4,dtype=torch.int64)|torch.ones(3,4,dtype=torch.bool)|T(1,4).sigmoid()",
    "sign": "T(3,4).sign()|T(3).sign()|torch.tensor([1,-1,1])|T(3,1).sign()|torch.tensor(1)|T(2).sign()|torch.ones(3,4,dtype=torch.int64)",
    "loss": """mse_loss(x,<real><reduction><old>)|l1_loss(x,<real><reduction><old>)|smooth_l1_loss(x,<real><reduction><|,beta=0.5|,beta=0|,beta=-1>)|huber_loss(x,<real><reduction><|,delta=0.5|,delta=0|,delta=-1>)
        mse_loss(x,T(3,4)<reduction>,weight=<T(3,4)|T(4)|T(3,4).abs()|None>)|l1_loss(x,T(3,4)<reduction>,weight=<T(3,4)|T(3)|None>)
        cross_entropy(x,<classes><reduction><weight><|,label_smoothing=0.1|,label_smoothing=2|,label_smoothing=-1|,ignore_index=1>)|cross_entropy(x,<classes><weight><old>)
        nll_loss(x,<classes><reduction><weight><|,ignore_index=1><old>)|kl_div(x,<real><reduction><|,log_target=True>)|kl_div(x,<unit>,reduction='batchmean')
        binary_cross_entropy(x.sigmoid(),<unit><reduction><weight>)|binary_cross_entropy(x,<unit>)|binary_cross_entropy_with_logits(x,<unit><reduction><weight><|,pos_weight=T(4).abs()|,pos_weight=torch.ones(3)>)
        hinge_embedding_loss(x,<sign><reduction><|,margin=0.5>)|margin_ranking_loss(x,<real>,<sign><reduction><|,margin=0.5>)|soft_margin_loss(x,<sign><reduction>)
        multi_margin_loss(x,<classes><reduction><weight><|,p=2|,p=3|,margin=0.5>)|multilabel_margin_loss(x,torch.tensor([[0,1,-1,2],[3,-1,0,0],[<1|7|-1>,2,3,0]])<reduction>)|multilabel_soft_margin_loss(x,<unit><reduction><weight>)
        cosine_embedding_loss(x,<real>,<sign><reduction><|,margin=0.5|,margin=2>)|triplet_margin_loss(x,<real>,<real><reduction><|,p=1|,swap=True|,margin=0|,margin=-1>)|triplet_margin_with_distance_loss(x,<real>,T(3,4).cos()<reduction><|,swap=True|,margin=0.5>)
        poisson_nll_loss(x,<unit><reduction><|,log_input=False|,full=True|,eps=0.1>)|gaussian_nll_loss(x,<real>,<T(3,4).exp()|T(3,1).exp()|T(3).exp()|T(3,4)|0.5|-1.|T(1,4).exp()><reduction><|,full=True|,eps=0.1>)
        ctc_loss(T(5,2,4).log_softmax(2),torch.tensor([[1,2],[3,<1|0|9>]]),<(5,5)|torch.tensor([5,4])|(6,5)|(5,)>,<(2,1)|torch.tensor([2,2])|(3,1)|(2,)><reduction><|,zero_infinity=True|,blank=1|,blank=7>)
        pairwise_distance(x,<real><|,p=1|,keepdim=True|,eps=0.1>)|cosine_similarity(x,<real><|,dim=0|,dim=-1|,eps=1>)""",
    "loss-class": """MSELoss(<a>)|L1Loss(<a>)|SmoothL1Loss(<a><|,beta=0.5>)|HuberLoss(<a><|,delta=0.5>)|CrossEntropyLoss(<cw><a>)|NLLLoss(<cw><a>)|KLDivLoss(<a><|,log_target=True>)|BCELoss(<cw><a>)|BCEWithLogitsLoss(<cw><a>)
        HingeEmbeddingLoss(margin=<1|0.5>,<a>)|SoftMarginLoss(<a>)|MultiMarginLoss(<1|2|3>,0.5,<cw><a>)|MultiLabelMarginLoss(<a>)|MultiLabelSoftMarginLoss(<cw><a>)|PoissonNLLLoss(<True|False>,<True|False>,<a>)""",
    "a": "||reduction='sum'|reduction='none'|reduction='mean'|reduction='batchmean'|reduction='abc'|reduce=False|size_average=False",
    "cw": "||weight=torch.ones(4),|weight=T(4).abs(),|weight=None,",
    "target": "<real>|<unit>|<classes>|<sign>",
    # ---- optimizers
    "lr": "lr=0.1|lr=0.01|lr=0.1|lr=torch.tensor(0.1)|lr=-1|lr=0|lr=1e-3|lr=torch.tensor([0.1])|lr=torch.tensor(0.1,dtype=torch.float64)",
    "flags": "|||||,foreach=True|,foreach=False|,maximize=True|,weight_decay=0.1|,weight_decay=-1|,differentiable=True|,capturable=True|,maximize=True,foreach=True|,weight_decay=0.1,maximize=True|,foreach=True,differentiable=True|,weight_decay=torch.tensor(0.1)",
    "fused": "|||,fused=True|,fused=True,foreach=True|,fused=False|,fused=True,differentiable=True",
    "betas": "|||,betas=(0.5,0.9)|,betas=(0.9,1.0)|,betas=(-0.1,0.9)|,betas=(0,0)|,betas=(torch.tensor(0.9),0.99)|,betas=(0.9,)|,betas=[0.8,0.9]",
    "optimizer": """SGD(<params>,<lr><flags><fused><|,momentum=0.9|,momentum=0.9,nesterov=True|,nesterov=True|,momentum=-1|,momentum=0.5,dampening=0.5|,momentum=0.9,dampening=0.1,nesterov=True>)|SGD(<params><|,momentum=0.5>)
        <Adam|AdamW|Adam|AdamW>(<params>,<lr><betas><flags><fused><|,amsgrad=True|,eps=-1|,eps=0.1|,decoupled_weight_decay=True>)|NAdam(<params>,<lr><betas><flags><|,momentum_decay=0.1|,momentum_decay=-1|,decoupled_weight_decay=True>)
        RAdam(<params>,<lr><betas><flags><|,decoupled_weight_decay=True>)|Adamax(<params>,<lr><betas><flags><|,eps=0.1>)|Adadelta(<params>,<lr><flags><|,rho=0.5|,rho=2|,eps=1e-3>)|Adagrad(<params>,<lr><flags><fused><|,lr_decay=0.1|,initial_accumulator_value=0.5|,lr_decay=-1>)
        RMSprop(<params>,<lr><flags><|,momentum=0.9|,centered=True|,alpha=0.5|,alpha=-1|,centered=True,momentum=0.5>)|Rprop(<params>,<lr><rflags><|,etas=(0.4,1.3)|,etas=(1.2,0.5)|,step_sizes=(1e-3,1)>)|ASGD(<params>,<lr><flags><|,lambd=0.1|,alpha=0.5|,t0=2>)
        LBFGS(<params>,<lr><|,max_iter=3|,line_search_fn='strong_wolfe'|,history_size=2|,line_search_fn='x'|,max_eval=2|,tolerance_grad=0.1>)|SparseAdam(<params>,<lr><betas><|,eps=0|,maximize=True>)
        Adafactor(<params>,<lr><|,beta2_decay=-0.5|,weight_decay=0.1|,d=0.5|,foreach=True|,eps=(None,0.01)|,maximize=True|,beta2_decay=1|,eps=(0.1,0.1)>)|Muon(<params>,<lr><|,weight_decay=0.2|,momentum=0.5|,nesterov=False|,ns_steps=2|,adjust_lr_fn='match_rms_adamw'|,adjust_lr_fn='original'|,adjust_lr_fn='x'|,eps=0.1|,ns_steps=100>)
        Optimizer(<params>,<{}|{'lr':0.1}>)""",
    "rflags": "|||,foreach=True|,maximize=True|,capturable=True|,differentiable=True",
    "params": """m.parameters()|m.parameters()|m.parameters()|m.parameters()|m.parameters()|m.named_parameters()|list(m.parameters())|[dict(params=list(m.parameters())[:1],lr=0.2),dict(params=list(m.parameters())[1:])]
        [dict(params=list(m.parameters())[:1],weight_decay=0.3),dict(params=list(m.parameters())[1:],lr=<0.5|torch.tensor(0.2)>,maximize=True)]|[p for p in m.parameters() if p.dim() == 2]|[p for p in m.parameters() if p.dim() == 2]
        []|next(m.parameters())|[dict(params=m.parameters()),dict(params=m.parameters())]|[dict(lr=0.1)]|[next(m.parameters())*2]|[1]|'abc'|[dict(params=list(m.named_parameters())[:1]),dict(params=list(m.named_parameters())[1:])]
        [dict(params=list(m.named_parameters())[:1]),dict(params=list(m.parameters())[1:])]|dict(m.named_parameters())|m""",
    "scheduler": """StepLR(opt,<2|1|3>,<0.5|gamma=0.1|gamma=2><last>)|MultiStepLR(opt,<[1,3]|[2,2]|(1,)>,0.5<last>)|ExponentialLR(opt,<0.9|0.5|gamma=1.1><last>)|LambdaLR(opt,<lambda e: 0.9 ** e|[lambda e: 1/(e+1)]|[lambda e: 1, lambda e: 2]|lr_lambda=lambda e: e><last>)
        MultiplicativeLR(opt,<lambda e: 0.9|[lambda e: 0.8]|[lambda e: 1, lambda e: 2]><last>)|ConstantLR(opt,<|0.5|factor=0.1,total_iters=2|2|total_iters=3>)|LinearLR(opt,<|0.5|start_factor=0.1,end_factor=0.8,total_iters=3|0|2|end_factor=2>)|PolynomialLR(opt,<|3|total_iters=3,power=2|4,0.5>)
        CosineAnnealingLR(opt,<3|T_max=2,eta_min=0.01|5|0><last>)|CosineAnnealingWarmRestarts(opt,<2|3,T_mult=2|T_0=1|0|2,1.5|2,eta_min=0.05>)|CyclicLR(opt,<0.01,0.1|0.01,0.1,2|0.01,0.1,step_size_up=2,step_size_down=3|0.01,0.1,mode='exp_range',gamma=0.9|0.01,0.1,mode='triangular2'|0.01,0.1,mode='x'|[0.1],[0.2]>,cycle_momentum=<False|True|False>)
        OneCycleLR(opt,<0.1,total_steps=5|max_lr=0.2,epochs=2,steps_per_epoch=3|0.1,total_steps=5,pct_start=0.5|0.1|0.1,5,anneal_strategy='linear'|0.1,total_steps=6,three_phase=True|0.1,total_steps=-1|0.1,5,pct_start=2|0.1,5,anneal_strategy='x'>,cycle_momentum=<True|False>)
        ReduceLROnPlateau(opt<|,'max'|,patience=0|,patience=1,factor=0.5|,factor=1|,mode='x'|,threshold_mode='abs'|,patience=0,cooldown=1,min_lr=0.01|,min_lr=[0.1,0.2]|,threshold_mode='x'|,mode='max',patience=0,threshold=0.5|,verbose=True>)
        ChainedScheduler([schedulers.<scheduler>,schedulers.<scheduler>]<|,optimizer=opt>)|SequentialLR(opt,[schedulers.<scheduler>,schedulers.<scheduler>],<milestones=[2]|[1]|[2,3]|[]>)|SequentialLR(opt,schedulers=[schedulers.ConstantLR(opt),schedulers.ExponentialLR(opt,0.5)],milestones=[2])
        LRScheduler(opt)""",
    "last": "||||,last_epoch=-1|,last_epoch=2|,last_epoch=0",
    # ---- what is done to a module
    "surgery": """show(m.state_dict(<|prefix='a.'|keep_vars=True|destination={}>))|show(list(m.named_parameters(<|prefix='a'|recurse=False|remove_duplicate=False>)))|show([n for n, _ in m.named_modules(<|prefix='p'|remove_duplicate=False>)])|show([n for n, _ in m.named_children()])
        show(list(m.named_buffers(<|recurse=False|prefix='b'>)))|show(m)|show(list(m.buffers()))|show(len(list(m.parameters())), len(list(m.modules())), len(list(m.children())))|m.train(<|False|True>)|m.eval()|m.zero_grad(<|set_to_none=False|set_to_none=True>)
        m.requires_grad_(<|False|True>)|m.half()|m.double()|m.float()|m.bfloat16()|m.to(<torch.float64|torch.float32|'cpu'|torch.device('cpu'),torch.float64|x|dtype=torch.float32|memory_format=torch.channels_last|torch.int64|torch.complex64|memory_format=torch.channels_last_3d|'cpu',non_blocking=True>)
        m.type(<torch.float64|torch.float32|'torch.DoubleTensor'>)|m.apply(lambda a: show(type(a).__name__))|m.apply(lambda a: nn.init.ones_(a.weight) if hasattr(a, 'weight') and not lazy(a) else None)|m = copy.deepcopy(m)|m = copy.copy(m)|m = pickle.loads(pickle.dumps(m))|m.to_empty(device='meta')
        show(m.load_state_dict(<state><|,strict=False|,assign=True|,strict=False,assign=True|,strict=True>))|f = io.BytesIO(); torch.save(m.state_dict(), f); f.seek(0); show(m.load_state_dict(torch.load(f<|, weights_only=True>)))|show(m.get_parameter(<'weight'|'a.weight'|'0.weight'|'x'|''|'a'|'scale'>))
        show(m.get_submodule(<'a'|'0'|'b.0'|'x'|''|'0.1'>))|show(m.get_buffer(<'count'|'running_mean'|'weight'|'x'>))|m.set_submodule(<'a'|'0'|'b.0'|'x'|''>,<nn.Identity()|nn.ReLU()|None><|,strict=True>)|m.add_module(<'extra'|'a.b'|''|'forward'|0>,<nn.ReLU()|None|3>)|m.register_module('n2',nn.Tanh())
        m.register_buffer(<'buf'|'weight'|'a.b'|'forward'>,<torch.ones(2)|None|3><|,persistent=False>)|m.register_parameter(<'par'|'weight'|'x.y'|'forward'>,<nn.Parameter(torch.ones(2))|None|torch.ones(2)|nn.Parameter(torch.ones(2))*2>)|m.weight = <nn.Parameter(T(4,4))|torch.ones(4,4)|None>|m.a = <nn.ReLU()|3|None|nn.Parameter(torch.ones(()))>|del m.<weight|bias|a|count|x>
        show(m.<weight|bias|nothing|training|count>)|part(m).weight.data.mul_(2)|part(m).weight.requires_grad = False|show('weight' in dir(m), 'training' in dir(m))|show(m.extra_repr())|show(m.get_extra_state())|show(m[0])|show(m[<-1|1|9|'a'|0:1|slice(None)>])|show(len(m))|m.append(nn.ReLU())|m.insert(0,nn.Identity())|m.extend([nn.Tanh()])|m.pop(<0|-1|9>)|m[0] = nn.Sigmoid()|del m[<0|-1|5>]|show(m + nn.Sequential(nn.ReLU()))|m = nn.Sequential(m, nn.Tanh())|m = m * 2
        parametrize.register_parametrization(<part(m)|m>,<'weight'|'bias'|'weight'|'x'>,<Half()|Symmetric()|nn.Identity()|nn.Linear(2,3)><|,unsafe=True>)|parametrize.remove_parametrizations(<part(m)|m>,<'weight'|'bias'><|,leave_parametrized=False>)|show(parametrize.is_parametrized(m<|,'weight'>))|show(parametrize.type_before_parametrizations(part(m)))
        parametrizations.weight_norm(part(m)<|,dim=None|,dim=1|,name='bias'|,name='x'>)|parametrizations.spectral_norm(part(m)<|,n_power_iterations=2|,n_power_iterations=0|,eps=0.1|,dim=1|,name='bias'>)|parametrizations.orthogonal(part(m)<|,orthogonal_map='cayley'|,orthogonal_map='householder'|,orthogonal_map='x'|,use_trivialization=False>)
        nn.utils.weight_norm(part(m)<|,dim=None|,dim=1|,name='bias'|,name='x'>)|nn.utils.remove_weight_norm(part(m)<|,'bias'|,'weight'>)|nn.utils.spectral_norm(part(m)<|,n_power_iterations=2|,n_power_iterations=0|,dim=1|,name='x'>)|nn.utils.remove_spectral_norm(part(m))
        prune.<l1_unstructured|random_unstructured>(part(m),<'weight'|'bias'|'x'>,amount=<0.5|2|1|1.5|-1|100|0>)|prune.ln_structured(part(m),'weight',amount=<0.5|1>,n=<2|1|inf>,dim=<0|1|-1|5>)|prune.random_structured(part(m),'weight',amount=<0.5|1>,dim=<0|1>)|prune.identity(part(m),'weight')|prune.remove(part(m),<'weight'|'bias'>)|prune.custom_from_mask(part(m),'weight',torch.ones(<4,4|3|2,2>))|show(prune.is_pruned(m))|prune.global_unstructured([(part(m),'weight')],pruning_method=prune.<L1Unstructured|RandomUnstructured>,amount=<0.3|1>)
        show(nn.utils.parameters_to_vector(m.parameters()))|nn.utils.vector_to_parameters(T(<100|4>),m.parameters())|show(torch.func.functional_call(m,<{}|{'weight':torch.ones(4,4)}|dict(m.named_parameters())|{'x':torch.ones(1)}|{'a.weight':T(4,4)}>,(x,)<|,strict=True|,tie_weights=False>))
        show(nn.utils.clip_grad_norm_(m.parameters(),<1.0|0.1|1e6><|,norm_type=1|,norm_type=inf|,error_if_nonfinite=True|,foreach=True|,norm_type=0|,norm_type='inf'>))|nn.utils.clip_grad_value_(m.parameters(),<0.1|1|foreach=True,clip_value=0.1>)|show(nn.utils.get_total_norm([p.grad for p in m.parameters() if p.grad is not None]))|m.share_memory()
        nn.init.<xavier_uniform_|kaiming_normal_|orthogonal_|normal_|zeros_|sparse_|dirac_|eye_|trunc_normal_|kaiming_uniform_|xavier_normal_|uniform_|constant_>(part(m).weight<|||,0.5|,gain=2|,std=0.1|,sparsity=0.5|,mode='fan_out'|,nonlinearity='relu'|,val=2>)|with torch.no_grad(): part(m).weight.<zero_|fill_|mul_|add_>(<0.5|2>)|m.b = m.a|m.zero_grad().x|m(x,twice=True)|m.cuda()|show(m.forward)|show(m.dump_patches, m.call_super_init)""",
    "state": "m.state_dict()|m.state_dict()|{}|dict(m.state_dict(),extra=torch.ones(2))|{k: v * 2 for k, v in m.state_dict().items()}|{k: v[:1] if v.dim() else v for k, v in m.state_dict().items()}|collections.OrderedDict(list(m.state_dict().items())[1:])|{k: v.double() for k, v in m.state_dict().items()}|[1]|{k: v.tolist() for k, v in m.state_dict().items()}|{'x.' + k: v for k, v in m.state_dict().items()}|copy.deepcopy(m).state_dict()|{k: v.to('meta') for k, v in m.state_dict().items()}|{k: v.flatten() for k, v in m.state_dict().items()}|nn.Linear(4,4).state_dict()",
    "hook": """h = m.register_forward_hook(note('forward')<|,prepend=True|,always_call=True>)|h = m.register_forward_hook(lambda m, i, o: o * 2 if torch.is_tensor(o) else None)|h = m.register_forward_hook(lambda m, i, k, o: show('with', k),with_kwargs=True<|,always_call=True>)|h = m.register_forward_pre_hook(note('before')<|,prepend=True>)
        h = m.register_forward_pre_hook(lambda m, i: <i|i[0] * 2|(i[0] * 2,)|None|[i[0]]>)|h = m.register_forward_pre_hook(lambda m, i, k: <(i, k)|None|(i, {})|i|(i,)|3>,with_kwargs=True)|h = m.register_full_backward_hook(note('backward')<|,prepend=True>)|h = m.register_full_backward_hook(lambda m, gi, go: <tuple(None if g is None else g * 2 for g in gi)|gi[0]|3|(1,)|gi + gi|None>)
        h = m.register_full_backward_pre_hook(note('full backward pre')<|,prepend=True>)|h = m.register_full_backward_pre_hook(lambda m, go: <tuple(g * 2 for g in go)|go[0]|()|None>)|h = m.register_backward_hook(note('old backward'))|h = m.register_state_dict_post_hook(<note('state')|lambda m, s, p, l: s.update(a=torch.ones(1))|lambda m, s, p, l: {}>)|h = m.register_state_dict_pre_hook(note('before state'))
        h = m.register_load_state_dict_pre_hook(<note('load')|lambda m, s, *a: s.clear()>)|h = m.register_load_state_dict_post_hook(<note('loaded')|lambda m, k: k.missing_keys.clear()|lambda m, k: 3>)|h = m._register_state_dict_hook(<note('old state')|lambda m, s, p, l: {}>)|h = m._register_load_state_dict_pre_hook(<note('old load')|note('with'),with_module=True>)|h.remove()|h.remove()
        h = part(m).register_forward_hook(note('inner'))|h = part(m).register_full_backward_hook(note('inner backward'))|h = part(m).register_forward_pre_hook(note('inner before'))|h = part(m).weight.register_hook(<note('grad')|lambda g: g * 2>)|h = nn.modules.module.register_module_forward_hook(note('every'))|h = part(m).register_full_backward_pre_hook(note('inner pre'))
        h = nn.modules.module.register_module_<forward_pre_hook|full_backward_hook|full_backward_pre_hook|parameter_registration_hook|buffer_registration_hook|module_registration_hook>(note('of every'))|h = part(m).weight.register_post_accumulate_grad_hook(lambda p: show('accumulated', p.grad))""",
    "use": """y = m(x)|y = m(x)|y = m(x); show(y)|y = m(x); total(y).backward()|y = m(x); total(y).backward()|show(m(x))|total(m(x)).backward()|with torch.no_grad(): show(m(x))|total(y).backward(<|retain_graph=True|create_graph=True>)|show([p.grad for p in m.parameters()])|show(x.grad)
        show(torch.autograd.grad(total(m(x)),list(m.parameters())<|,allow_unused=True|,create_graph=True>))|m()|m(x,x)|m(<wrong-input>)|with torch.autocast('cpu'<|,torch.float16>): show(m(x))|show(torch.utils.checkpoint.checkpoint(m,x,use_reentrant=<False|True>))|with torch.inference_mode(): show(m(x))""",
    "wrong-input": "x.double()|x.float()|x[0]|x[None]|x.long()|x[:0]|x.bfloat16()|x.half()|x.to(torch.complex64)|None|3|x.numpy()|x.detach().requires_grad_()|x.flatten()|x.T|x.bool()|x[...,:3]|x[:,:0]|x[:,:3]|x[:1]|x.to('meta')|[x]|input=x|x=x|x.mT",
    # ---- what is done to an optimizer
    "train": """opt.zero_grad(<|set_to_none=False>); show(closure()); opt.step()|opt.zero_grad(); show(closure()); opt.step()|for _ in range(3): opt.zero_grad(); closure(); opt.step()|show(opt.step(closure))|show(opt.step(closure))|opt.step()|opt.zero_grad(<|set_to_none=False|False>)|closure()
        show(nn.utils.clip_grad_norm_(m.parameters(),<1.0|0.1>))|nn.utils.clip_grad_value_(m.parameters(),0.1)|next(m.parameters()).grad = None|next(m.parameters()).requires_grad_(False)|next(m.parameters()).grad = torch.zeros_like(next(m.parameters()))|m.double()|m.float()|opt.param_groups[<0|-1|1>]['<lr|weight_decay|momentum|maximize|foreach|betas>'] = <0.05|0|True|False|torch.tensor(0.1)|(0.5,0.6)>
        next(m.parameters()).grad.<mul_|fill_|add_>(<2|nan|inf|0>)|show(opt.param_groups[0]['lr'])""",
    "care": """show(opt)|show(opt.state_dict())|opt.load_state_dict(<opt.state_dict()|copy.deepcopy(opt.state_dict())|{}|{'state':{},'param_groups':[]}|pickle.loads(pickle.dumps(opt.state_dict()))|optim.SGD([torch.ones(2)]).state_dict()>)|opt = copy.deepcopy(opt)|opt = pickle.loads(pickle.dumps(opt))|opt.add_param_group(<{'params':[nn.Parameter(T(2))]}|{'params':[nn.Parameter(T(2,2))],'lr':0.3}|{'params':m.parameters()}|{}|[]|{'params':[3]}|{'params':nn.Parameter(T(2,2)),'weight_decay':0.1}>)
        o2 = type(opt)(m.parameters()); o2.load_state_dict(opt.state_dict()); opt = o2|f = io.BytesIO(); torch.save(opt.state_dict(), f); f.seek(0); opt.load_state_dict(torch.load(f))|h = opt.register_step_pre_hook(<note('pre')|lambda o, a, k: show(len(a), sorted(k))|lambda o, a, k: (a, k)|lambda o, a, k: 3>)|h = opt.register_step_post_hook(note('post'))|h = opt.register_state_dict_pre_hook(note('sd pre'))|h = opt.register_state_dict_post_hook(<note('sd post')|lambda o, s: {'state': {}, 'param_groups': []}>)
        h = opt.register_load_state_dict_pre_hook(<note('load pre')|lambda o, s: copy.deepcopy(s)>)|h = opt.register_load_state_dict_post_hook(note('load post'))|h.remove()|show(opt.defaults)|show(len(opt.state))|opt.state.clear()|show(opt.param_groups)|opt.step(<3|None|closure,closure|x=1>)""",
    "schedule": """sched.step()|sched.step()|sched.step()|opt.step(); sched.step()|opt.step(); sched.step()|sched.step(<1.0|3|closure()|nan|0.5|epoch=2|metrics=0.3|None>)|sched.step(<1.0|0.5>)|show(sched.get_last_lr())|show(sched.state_dict())|sched.load_state_dict(<sched.state_dict()|copy.deepcopy(sched.state_dict())|{}>)|show(sched.get_lr())
        sched = schedulers.<scheduler>|sched = copy.deepcopy(sched)|show(sched.last_epoch, sched.base_lrs)|for _ in range(3): opt.step(); sched.step(); show(sched.get_last_lr())|show(sched._last_lr)|show(sched.optimizer is opt)|sched = pickle.loads(pickle.dumps(sched))""",
    "averaging": """avg = optim.swa_utils.AveragedModel(m<|,use_buffers=True|,multi_avg_fn=optim.swa_utils.get_ema_multi_avg_fn(0.9)|,avg_fn=optim.swa_utils.get_ema_avg_fn(0.5)|,avg_fn=lambda a, b, n: a + b|,multi_avg_fn=optim.swa_utils.get_swa_multi_avg_fn()>)|avg.update_parameters(m)|avg.update_parameters(m)|show(avg.state_dict())|show(avg(x))|optim.swa_utils.update_bn([x,x],avg)
        sched = optim.swa_utils.SWALR(opt,<0.05|[0.05]|[0.1,0.2]|swa_lr=0.1,anneal_epochs=2|0.1,anneal_strategy='linear'|0.1,'x'|0.1,anneal_epochs=-1>)""",
    # ---- sequences
    "packing": """p = rnn.pack_padded_sequence(x,<lengths><|,batch_first=True|,enforce_sorted=False|,batch_first=True,enforce_sorted=False>); show(p, p.data, p.batch_sizes, p.sorted_indices, p.unsorted_indices)|show(rnn.pad_packed_sequence(p<|,batch_first=True|,padding_value=2.5|,total_length=9|,total_length=1|,True>))|p = rnn.pack_sequence([T(3,4),T(2,4),T(1,4)]<|,enforce_sorted=False>)|p = rnn.pack_sequence([T(1,4),T(3,4)]<|,enforce_sorted=False>)
        show(rnn.pad_sequence(<[T(3,4),T(1,4)]|[T(2),T(3)]|[]|T(3,4)|[T(2,3),T(2,4)]|(T(1,4),T(2,4))|[torch.ones(2,dtype=torch.int64)]><|,batch_first=True|,padding_value=-1|,padding_side='left'|,padding_side='x'>))|show(rnn.unpad_sequence(x,<torch.tensor([2,1,1])|torch.tensor([5,1,2])><|,batch_first=True>))|show(rnn.unpack_sequence(p))|y = m(p); show(y)|y = m(p); total(y[0]).backward()
        p = p.<double|float|half|long|cpu|int|bool>()|p = p.to(<torch.float64|torch.float32|'cpu'>)|show(p.is_cuda, p.is_pinned())|y = m(p,<h0>); show(y)|show(p == p, len(p))|p = rnn.invert_permutation(torch.tensor([2,0,1]))""",
    "lengths": "[5,3,1]|[5,3,1]|torch.tensor([5,4,2])|[1,3,5]|[5,0,1]|[5,3]|[6,3,1]|torch.tensor([5.,3.,1.])|(3,3,3)|[-1,2,3]|torch.tensor([[5,3,1]])|[3,2,1]",
    "h0": "T(1,3,3)|T(1,3,3)|T(2,3,3)|None|(T(1,3,3),T(1,3,3))|T(2,3,2)|T(1,2,3)",
    "functional": """conv<d>(x,<T(4,4,3)|T(4,4,2,2)|T(2,4,2,2,2)|T(4,2,2)|T(4,1,3,3)|T(3,4,1,1)><|,T(4)|,bias=T(3)|,stride=2|,padding=1|,groups=2|,groups=4|,padding='same'|,dilation=2|,T(4),2,1>)|conv_transpose<d>(x,<T(4,4,3)|T(4,4,2,2)|T(4,2,2,2,2)|T(4,2,2)><|,T(4)|,stride=2|,padding=1|,groups=2|,output_padding=1,stride=2|,dilation=2>)
        max_pool<d>(x,<2|3|(2,2)|(1,2,2)|1><maxpool>)|avg_pool<d>(x,<2|3|(2,2)|(1,2,2)|1><avgpool>)|lp_pool<d>(x,2,2)|adaptive_avg_pool<d>(x,<1|2|(2,3)|(None,2)>)|adaptive_max_pool<d>(x,<1|2|(2,3)|(1,2,2)><|,return_indices=True>)|batch_norm(x,<None,None|torch.zeros(4),torch.ones(4)|T(4),T(4).exp()|T(3),T(3)><|,training=True|,T(4)|,T(4),T(4),True|,training=True,momentum=0.5|,eps=0.1>)|instance_norm(x<|,T(4),T(4).exp()|,weight=T(4)|,use_input_stats=False|,T(4),T(4).exp(),use_input_stats=False>)
        layer_norm(x,<x.shape[-1:]|x.shape[1:]|(4,)|[]|4><|,T(*x.shape[-1:])|,bias=T(*x.shape[-1:])|,T(4)|,eps=0.1>)|group_norm(x,<2|1|3|4|0><|,T(4)|,T(4),T(4)|,T(3)>)|rms_norm(x,<x.shape[-1:]|(4,)|x.shape[1:]><|,T(*x.shape[-1:])|,eps=0.1>)|local_response_norm(x,<2|3|1>)|normalize(x<|,p=1|,dim=0|,dim=-1|,p=inf|,eps=1>)|pad(x,<(1,1)|(1,1,2,2)|(1,0,0,1,1,1)|(-1,1)|(1,)|(0,0)|(9,9)|(1,1,1,1,1,1,1,1,1,1)><|,'reflect'|,mode='circular'|,mode='replicate'|,value=2|,'constant',0.5|,mode='x'|,mode='reflect',value=1>)
        interpolate(x,<2|scale_factor=2|size=(3,4)|scale_factor=0.5|scale_factor=(1.5,2)|size=(2,3,4)|scale_factor=2,size=3|size=3,recompute_scale_factor=True><|,mode='nearest'|,mode='linear'|,mode='bilinear'|,mode='bilinear',align_corners=True|,mode='bicubic'|,mode='trilinear'|,mode='area'|,mode='nearest-exact'|,mode='x'|,mode='bilinear',antialias=True|,align_corners=True>)|unfold(x,<2|(2,3)|3,padding=1>)|fold(x,<(4,4)|(2,3)>,<(2,2)|(2,1)>)|pixel_shuffle(x,<2|1>)|pixel_unshuffle(x,<1|2>)|channel_shuffle(x,<2|3>)|native_channel_shuffle(x,2)
        softmax(x<|,dim=1|,dim=-1|,dim=0|,1,dtype=torch.float64|,dim=7>)|log_softmax(x<|,dim=1|,dim=-1,dtype=torch.float32>)|softmin(x,<0|1>)|gumbel_softmax(x<|,tau=0.5|,hard=True|,dim=0>)|glu(x<|,0|,1|,dim=-1>)|prelu(x,<T(4)|T(1)|T(3)|T()|T(2,2)>)|rrelu(x<|,0.1,0.2|,training=True>)|dropout<d0>(x<|,0.2|,p=1|,training=False|,p=2|,p=0.3,inplace=True>)|<alpha_dropout|feature_alpha_dropout>(x<|,0.2|,training=True|,p=1,training=True>)|threshold(x,0.1,2)|hardtanh(x,<-1,1|1,-1|0,2>)|celu(x<|,0.5|,0>)|elu(x,<0.5|inplace=True>)|gelu(x<|,approximate='tanh'|,approximate='x'>)|softplus(x<|,2|,2,1>)
        linear(x,<T(3,x.shape[-1])|T(x.shape[-1])|T(3,4)|T(3,2)|T(2,3,4)><|,T(3)|,T(2)|,T(1,3)>)|bilinear(x,x,T(3,x.shape[-1],x.shape[-1])<|,T(3)|,T(2)>)|embedding(torch.tensor(<[1,0]|[[1,9]]|[1.,0.]|2>),T(<5,4|10,4>)<|,padding_idx=0|,max_norm=0.5|,scale_grad_by_freq=True|,padding_idx=-1|,padding_idx=10>)|embedding_bag(torch.tensor(<[1,0,2]|[[1,0],[2,3]]|[1.,2.]>),T(5,4)<|,torch.tensor([0,2])|,mode='sum'|,offsets=torch.tensor([0,1]),mode='max'|,offsets=torch.tensor([1,2])|,per_sample_weights=T(3)|,offsets=torch.tensor([0,1]),per_sample_weights=T(3),mode='sum'>)
        one_hot(torch.tensor(<[1,0,2]|[]|[-1]|[1.]|2>)<|,4|,2|,num_classes=-1>)|grid_sample(x,<T(2,3,3,2)|T(2,2,3)|T(2,2,2,2,3)|T(3,3,3,2)><|,mode='nearest'|,mode='bicubic'|,padding_mode='border'|,padding_mode='reflection',align_corners=True|,mode='x'>)|affine_grid(<T(2,2,3)|T(2,3,4)|T(2,2,2)>,<(2,4,3,3)|(2,1,2,2,2)|(1,2,3,3)|[2,3]><|,align_corners=True|,align_corners=False>)|scaled_dot_product_attention(x,<x|x[...,:2,:]|T(2,3,4)|x.mT>,x<|,is_causal=True|,scale=0.5|,dropout_p=0.2|,attn_mask=torch.ones(4,4,dtype=torch.bool)|,attn_mask=T(4,4)|,attn_mask=T(4,4),is_causal=True>)
        max_unpool<d>(*F.max_pool<d>(x,2,return_indices=True),2<|,output_size=x.shape|,output_size=(5,6)>)|cosine_similarity(x,x+1<|,dim=0>)|pdist(<x|T(3,4)|T(3)|T(3,4).float()><|,p=1|,p=inf|,p=-1>)|logsigmoid(x)|hardswish(x<|,inplace=True>)|<relu|relu_|silu|mish|tanhshrink|softsign|hardsigmoid|selu|relu6|tanh|sigmoid|leaky_relu|elu_|selu_|hardtanh_>(x)""",
    "d": "1d|2d|3d|2d|1d",
    "d0": "|1d|2d|3d|",
}  # fmt: skip

INPUTS = {
    "vector": ["T(3,4)", "T(3,4)", "T(4)", "T(2,3,4)", "T(0,4)", "T(1,4)"],
    "sequence": ["T(2,4,6)", "T(2,4,6)", "T(4,6)", "T(1,4,6)", "T(0,4,6)", "T(2,4,1)"],
    "image": ["T(2,4,5,6)", "T(2,4,5,6)", "T(4,5,6)", "T(2,4,4,4)", "T(1,4,1,1)", "T(2,4,5,6).to(memory_format=torch.channels_last)", "T(0,4,5,6)"],
    "volume": ["T(2,4,3,4,3)", "T(4,3,4,3)"],
    "tokens": ["torch.tensor([[1,0,2],[4,1,1]])", "torch.tensor([1,2,9])", "torch.tensor([[1,2]],dtype=torch.int32)", "torch.tensor(3)", "torch.tensor([[0,12]])", "torch.empty(0,2,dtype=torch.int64)"],
    "recurrent": ["T(5,3,4)", "T(5,3,4)", "T(5,4)", "T(1,3,4)", "T(0,3,4)", "T(3,4,2)"],
    "attention": ["T(5,3,4)", "T(5,4)", "T(5,3,6)"],
    "transformer": ["T(5,3,4)", "T(5,3,4)", "T(5,4)"],
}  # fmt: skip
CALLS = {
    "recurrent": ["x", "x", "x,<h0>"],
    "tokens": ["x", "x", "x,torch.tensor([0,2])", "x,torch.tensor([0,2]),T(<3|2,3>)", "x,None,T(2,3)"],
    "attention": ["x,x,x", "x,x,x<|,need_weights=False|,average_attn_weights=False|,is_causal=True|,key_padding_mask=torch.zeros(3,5,dtype=torch.bool)|,attn_mask=T(5,5)|,attn_mask=torch.ones(5,5).tril().bool()|,attn_mask=torch.zeros(6,5,5)|,attn_mask=T(4,4)|,key_padding_mask=torch.zeros(3,5)>"],
    "transformer": ["x", "x,x", "x,x<|,tgt_mask=T(5,5)|,memory_mask=T(5,5)|,tgt_is_causal=True>", "x<|,mask=T(5,5)|,src_mask=T(5,5)|,src_key_padding_mask=torch.zeros(3,5).bool()|,src_mask=nn.Transformer.generate_square_subsequent_mask(5),is_causal=True>"],
}  # fmt: skip
NETWORKS = [
    "nn.Sequential({a}, {b}, {c})", "nn.Sequential(nn.Linear(4,4), {a}, nn.Linear(4,2))", "Net(nn.Linear(4,4), {a})",
    "nn.Sequential(collections.OrderedDict(a={a}, b={b}))", "Net(nn.Linear(4,4), nn.Sequential({a}, {b}))",
    "nn.ModuleList([{a}, {b}])", "nn.ModuleDict({{'a': {a}, 'b': {b}}})", "nn.ParameterList([nn.Parameter(T(2)), T(2,2)])",
    "nn.ParameterDict({{'a': nn.Parameter(T(2)), 'b': T(3)}})", "nn.Sequential(nn.Sequential({a}), *[nn.Linear(4,4)] * 2)",
    "nn.Sequential(nn.Linear(4,4), Net({a}, {a}))", "nn.Bilinear(4,<4|3>,3)", "nn.<RNNCell|GRUCell|LSTMCell>(4,3<|,bias=False|,dtype=torch.float64>)",
    "nn.AdaptiveLogSoftmaxWithLoss(4,6,<[2,4]|[2]|[4,2]|[7]><|,head_bias=True|,div_value=2>)", "nn.<CosineSimilarity|PairwiseDistance>(<|1|dim=0|p=1|keepdim=True>)",
]  # fmt: skip
DTYPES = ["double()"] * 8 + ["float()"] * 6 + ["bfloat16()", "half()", "to(torch.complex128)"]
CLOSURE = """
def closure():
    for p in m.parameters():
        p.grad = None
    loss = total(m(x))
    loss.backward()
    return loss.detach()
"""


class Writer:
    """Texts of the grammar, chosen by a seed."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.spoiled = self.rng.choice([0, 0, 0.02, 0.06])

    def of(self, items):
        return self.rng.choice(items)

    def text(self, template):
        while found := re.search(r"<([^<>]*)>", template):
            inner = found[1]
            if inner in _RULES:
                new = self.of(_RULES[inner])
            else:
                options = inner.split("|")
                plain = all(options) and not any(o.startswith(",") for o in options)
                wrong = plain and len(options) > 2 and self.rng.random() < self.spoiled
                new = self.of(WRONG if wrong else options)
            template = template[: found.start()] + new + template[found.end() :]
        return template

    def some(self, most, *rules):
        return [self.text(f"<{self.of(rules)}>") for _ in range(self.rng.randint(1, most))]


def _lines(text):
    """The alternatives of a rule: separated by bars and lines, outside of angle brackets."""
    found, depth, current = [], 0, ""
    for character in "|".join(line.strip() for line in text.splitlines()):
        depth += (character == "<") - (character == ">")
        if character == "|" and not depth:
            found.append(current)
            current = ""
        else:
            current += character
    return [*found, current]


_RULES = {name: _lines(text) for name, text in GRAMMAR.items()}


# ---- programs


def _built(w, model, family, data):
    """Statements that make a module and its input."""
    dtype = w.of(DTYPES[:-1] if family in ("attention", "transformer") else DTYPES)
    other = dtype if w.rng.random() < 0.93 else w.of(DTYPES)
    floats = family != "tokens"
    grad = ".requires_grad_()" if floats and w.rng.random() < 0.5 else ""
    made, given = w.text(model), w.text(data)
    if "GroupNorm" in made:  # whose derivative ends PyTorch's process for images with channels last
        given = given.replace(".to(memory_format=torch.channels_last)", "")
    texts = [f"torch.manual_seed({w.rng.randrange(5)})", f"m = {made}", f"m = m.{other}"]
    return [*texts, f"x = {given}{f'.{dtype}' if floats else ''}{grad}"]


def _layer(w):
    family = w.of(list(INPUTS))
    call = w.text(w.of(CALLS.get(family, ["x"])))
    texts = _built(w, f"<{family}>", family, w.of(INPUTS[family]))
    texts += ["show(m)", f"y = m({call})", "total(y).backward()"]
    for text in w.some(6, "use", "use", "surgery", "hook", "averaging"):
        texts.append(text)
    return [text.replace("m(x)", f"m({call})") for text in texts] + [f"y = m({call})"]


def _network(w):
    parts = {name: w.text("<vector>") for name in "abc"}
    texts = _built(w, w.of(NETWORKS).format(**parts), "vector", w.of(INPUTS["vector"]))
    rules = ["use", "surgery", "surgery", "surgery", "hook"]
    return texts + w.some(12, *rules) + ["y = m(x)", "total(y).backward()"]


def _loss(w):
    data = w.text("x = <real>")
    texts = ["torch.manual_seed(0)", data + w.of(["", ".requires_grad_()"])]
    if w.rng.random() < 0.6:
        texts.append("y = " + w.text("F.<loss>"))
    else:
        texts += ["m = " + w.text("nn.<loss-class>"), "show(m)", w.text("y = m(x,<target>)")]
    return [*texts, "total(y).backward()", "show(x.grad)"]


def _functional(w):
    data = w.of([d for family in INPUTS if family != "tokens" for d in INPUTS[family]])
    data = f"x = {data}.{w.of(['double()', 'double()', 'float()', 'bfloat16()', 'half()', 'to(torch.complex128)', 'long()'])}"
    grad = "x.requires_grad_()" if w.rng.random() < 0.7 else "torch.manual_seed(1)"
    return [
        "torch.manual_seed(0)",
        data,
        grad,
        "y = " + w.text("F.<functional>"),
        "total(y).backward()",
    ]


def _training(w):
    model = w.of(["nn.Linear(4,3)", "nn.Sequential(nn.Linear(4,4), nn.Tanh(), nn.Linear(4,2))", "Net(nn.Linear(4,4), nn.Linear(4,1))", "nn.Embedding(10,4,sparse=<True|True|False>)", "nn.Linear(4,4,bias=False)"])  # fmt: skip
    family = "tokens" if "Emb" in model else "vector"
    texts = _built(w, model, family, INPUTS[family][0])
    texts = [*texts, CLOSURE, "opt = optim." + w.text("<optimizer>"), "show(opt)"]
    scheduled = w.rng.random() < 0.5
    if scheduled:
        texts += ["sched = schedulers." + w.text("<scheduler>")]
    rules = ["train", "train", "care"] + ["schedule", "schedule"] * scheduled
    return texts + w.some(14, *rules)


def _sequences(w):
    module = w.text("<recurrent>")
    texts = [
        "torch.manual_seed(0)",
        f"m = {module}",
        "m = m.double()",
        f"x = {w.of(['T(5,3,4)', 'T(3,5,4)'])}",
    ]
    return [*texts, *w.some(8, "packing"), *w.some(2, "use"), *w.some(3, "packing")]


def program(seed):
    w = Writer(seed)
    kind = w.of(
        [_layer, _layer, _network, _network, _loss, _functional, _training, _training, _sequences]
    )
    return [text for text in kind(w) if _is_python(text)]


def _is_python(text):
    """Whether a text is one statement or more: some have an argument twice."""
    try:
        compile(text, "<program>", "exec")
    except SyntaxError:
        return False
    return True
