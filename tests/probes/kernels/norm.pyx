"""The normalization kernels on NumPy arrays, for their tests. All arrays contiguous, one dtype."""

import numpy as np

cimport numpy as cnp

from minitorch.core.dtype cimport from_numpy_type
from minitorch.kernels.nn.batch_norm cimport batch_norm_backward_kernel, batch_norm_kernel
from minitorch.kernels.nn.group_norm cimport group_norm_backward_kernel, group_norm_kernel
from minitorch.kernels.nn.layer_norm cimport (
    layer_norm_backward_kernel, layer_norm_kernel, rms_norm_backward_kernel, rms_norm_kernel)

cnp.import_array()


cdef char* _data(cnp.ndarray a):
    return NULL if a is None else <char*>a.data


cdef int _check(int status) except -1:
    if status:
        raise TypeError("no loop for this dtype")
    return 0


def layer_norm(cnp.ndarray x, cnp.ndarray gamma or None, cnp.ndarray beta or None, double eps, int repeat=1):
    m, n = np.shape(x)
    cdef cnp.ndarray out = np.empty_like(x), mean = np.empty(m, x.dtype)
    cdef cnp.ndarray rstd = np.empty(m, x.dtype)
    for _ in range(repeat):
        _check(layer_norm_kernel(_data(x), _data(gamma), _data(beta), _data(out), _data(mean),
                                 _data(rstd), m, n, eps, from_numpy_type(x.dtype.num)))
    return out, mean, rstd


def layer_norm_backward(cnp.ndarray grad, cnp.ndarray x, cnp.ndarray mean or None, cnp.ndarray rstd,
                        cnp.ndarray gamma or None, int repeat=1):
    m, n = np.shape(x)
    cdef cnp.ndarray dx = np.empty_like(x), dgamma = np.empty(n, x.dtype)
    cdef cnp.ndarray dbeta = np.empty(n, x.dtype)
    for _ in range(repeat):
        _check(layer_norm_backward_kernel(
            _data(grad), _data(x), _data(mean), _data(rstd), _data(gamma), _data(dx),
            _data(dgamma), _data(dbeta), m, n, from_numpy_type(x.dtype.num)))
    return dx, dgamma, dbeta


def rms_norm(cnp.ndarray x, cnp.ndarray gamma or None, double eps, int repeat=1):
    m, n = np.shape(x)
    cdef cnp.ndarray out = np.empty_like(x), rstd = np.empty(m, x.dtype)
    for _ in range(repeat):
        _check(rms_norm_kernel(_data(x), _data(gamma), _data(out), _data(rstd), m, n, eps,
                               from_numpy_type(x.dtype.num)))
    return out, rstd


def rms_norm_backward(cnp.ndarray grad, cnp.ndarray x, cnp.ndarray rstd, cnp.ndarray gamma or None,
                      int repeat=1):
    m, n = np.shape(x)
    cdef cnp.ndarray dx = np.empty_like(x), dgamma = np.empty(n, x.dtype)
    for _ in range(repeat):
        _check(rms_norm_backward_kernel(
            _data(grad), _data(x), _data(rstd), _data(gamma), _data(dx), _data(dgamma), m, n,
            from_numpy_type(x.dtype.num)))
    return dx, dgamma


def batch_norm(cnp.ndarray x, cnp.ndarray gamma or None, cnp.ndarray beta or None, cnp.ndarray running_mean or None,
               cnp.ndarray running_var or None, bint training, double momentum, double eps, int repeat=1):
    n, c, s = np.shape(x)
    cdef cnp.ndarray out = np.empty_like(x)
    cdef cnp.ndarray mean = np.empty(c, x.dtype), invstd = np.empty(c, x.dtype)
    for _ in range(repeat):
        _check(batch_norm_kernel(
            _data(x), _data(gamma), _data(beta), _data(running_mean), _data(running_var),
            training, momentum, eps, _data(out), _data(mean), _data(invstd), n, c, s,
            from_numpy_type(x.dtype.num)))
    return out, mean, invstd


def batch_norm_backward(cnp.ndarray grad, cnp.ndarray x, cnp.ndarray gamma or None, cnp.ndarray mean or None,
                        cnp.ndarray invstd or None, cnp.ndarray running_var or None, bint training, double eps,
                        int repeat=1):
    n, c, s = np.shape(x)
    cdef cnp.ndarray dx = np.empty_like(x)
    cdef cnp.ndarray dgamma = np.empty(c, x.dtype), dbeta = np.empty(c, x.dtype)
    for _ in range(repeat):
        _check(batch_norm_backward_kernel(
            _data(grad), _data(x), _data(gamma), _data(mean), _data(invstd), _data(running_var),
            training, eps, _data(dx), _data(dgamma), _data(dbeta), n, c, s,
            from_numpy_type(x.dtype.num)))
    return dx, dgamma, dbeta


def group_norm(cnp.ndarray x, cnp.ndarray gamma or None, cnp.ndarray beta or None, int groups, double eps,
               int repeat=1):
    n, c, s = np.shape(x)
    cdef cnp.ndarray out = np.empty_like(x)
    cdef cnp.ndarray mean = np.empty((n, groups), x.dtype), rstd = np.empty((n, groups), x.dtype)
    for _ in range(repeat):
        _check(group_norm_kernel(_data(x), _data(gamma), _data(beta), _data(out), _data(mean),
                                 _data(rstd), n, c, s, groups, eps,
                                 from_numpy_type(x.dtype.num)))
    return out, mean, rstd


def group_norm_backward(cnp.ndarray grad, cnp.ndarray x, cnp.ndarray mean or None, cnp.ndarray rstd,
                        cnp.ndarray gamma or None, int groups, int repeat=1):
    n, c, s = np.shape(x)
    cdef cnp.ndarray dx = np.empty_like(x)
    cdef cnp.ndarray dgamma = np.empty(c, x.dtype), dbeta = np.empty(c, x.dtype)
    for _ in range(repeat):
        _check(group_norm_backward_kernel(
            _data(grad), _data(x), _data(mean), _data(rstd), _data(gamma), _data(dx),
            _data(dgamma), _data(dbeta), n, c, s, groups, from_numpy_type(x.dtype.num)))
    return dx, dgamma, dbeta
