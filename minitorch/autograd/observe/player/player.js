/* Plays the recording of a backward pass, event by event.

   A recording is JSON of the schema "minitorch.trace/2". `stateAfter(recording, k)` computes the state
   after event k from events 1 to k alone, so that stepping back is as exact as stepping forward. A
   `Player` draws such a state. Every element with the class `minitorch-player` that contains a
   recording becomes a player when the page has loaded; `minitorchPlayer.mount(element, recording,
   title)` makes one from any recording. */
(function () {
  "use strict";

  // ---- the state after event k; trace_replay.py has the same function in Python

  function stateAfter(recording, k) {
    const state = {
      event: 0, task: null, node: null, tasks: {}, edges: {}, grads: {}, freed: [], captured: {},
    };
    for (const event of recording.events.slice(0, k)) advance(state, event, recording.nodes);
    return state;
  }

  function advance(state, event, nodes) {
    state.event = event.number;
    state.task = event.task;
    state.node = event.node;
    if (event.task === null || event.node === null) {
      if (event.kind === "accumulate" && event.node !== null) accumulate(state, event);
      return;
    }
    const task = (state.tasks[event.task] ??= {
      queue: [], running: null, order: 0, phase: {}, dependencies: {}, buffers: {}, inputs: {},
    });
    const node = event.node;
    const empty = () => nodes[node].outputs.map(() => null);
    task.order = event.number;
    switch (event.kind) {
      case "dependency":
        task.phase[node] = "waiting";
        task.dependencies[node] = event.count;
        break;
      case "push":
        task.queue.push(node);
        task.phase[node] = "ready";
        task.dependencies[node] = 0;
        break;
      case "pop":
        finish(state, task);
        task.queue = task.queue.filter((other) => other !== node);
        task.running = node;
        task.phase[node] = "running";
        task.inputs[node] = task.buffers[node] ?? empty();
        delete task.buffers[node];
        break;
      case "apply":
        task.inputs[node] = event.gradients;
        break;
      case "validate":
        state.edges[`${event.source}:${event.edge}`] = event.gradients[1];
        break;
      case "buffer": {
        const buffer = (task.buffers[node] ??= empty());
        const gradient = event.gradients[0];
        buffer[event.output_nr] = event.result ?? (event.detail === "first" ? gradient : unknown(gradient));
        if (event.source !== null && node in task.dependencies) task.dependencies[node] -= 1;
        break;
      }
      case "free":
        if (!state.freed.includes(node)) state.freed.push(node);
        break;
      case "capture":
        (state.captured[event.task] ??= {})[event.count] = event.gradients[0];
        break;
      case "accumulate":
        accumulate(state, event);
        if (task.running === node) finish(state, task);
        break;
      case "skip":
        finish(state, task);
        break;
    }
  }

  function accumulate(state, event) {
    const gradient = event.gradients[0];
    const replaced = event.detail === "taken" || event.detail === "copied";
    state.grads[event.node] = event.result ?? (replaced ? gradient : unknown(gradient));
  }

  function finish(state, task) {
    if (task.running === null) return;
    task.phase[task.running] = state.freed.includes(task.running) ? "freed" : "done";
    task.running = null;
  }

  const unknown = (gradient) => gradient && { ...gradient, values: null };

  // the pass that knows a node: the current one, else the one with the latest event
  function passOf(state, node) {
    const current = state.tasks[state.task];
    if (current && node in current.phase) return current;
    return Object.values(state.tasks)
      .sort((a, b) => b.order - a.order)
      .find((task) => node in task.phase);
  }

  function phaseOf(state, node) {
    return passOf(state, node)?.phase[node] ?? "idle";
  }

  // before the first push of a pass, its dependencies are not all counted
  function isCounted(state) {
    const current = state.tasks[state.task];
    if (!current) return state.task === null && Object.keys(state.tasks).length > 0;
    return Object.values(current.phase).some((phase) => phase !== "waiting");
  }

  // ---- texts

  function shown(values) {
    if (Array.isArray(values)) return `[${values.map(shown).join(", ")}]`;
    return typeof values === "number" ? shownNumber(values) : values === true ? "True" : values === false ? "False" : String(values);
  }

  // a whole number with all digits, and any other with four
  function shownNumber(value) {
    const size = Math.abs(value);
    if (Number.isInteger(value) && size < 1e15) return String(value);
    if (size >= 1e-4 && size < 1e6) return String(Number(value.toPrecision(4)));
    const [mantissa, exponent] = value.toExponential(3).split("e");
    return `${Number(mantissa)}e${Number(exponent)}`;
  }

  function shownGradient(gradient) {
    if (!gradient) return "none";
    if (gradient.values !== null && gradient.values !== undefined) return shown(gradient.values);
    return gradient.shape ? `${gradient.dtype}[${gradient.shape.join(", ")}]` : "packed by a hook";
  }

  const shownAll = (gradients) => (gradients ?? []).map(shownGradient).join(", ");

  function cut(text, width) {
    return text.length > width ? text.slice(0, Math.max(width - 1, 1)) + "…" : text;
  }

  const PHASES = {
    idle: ["·", "not in this pass"],
    waiting: ["○", "waiting"],
    ready: ["◆", "ready"],
    running: ["▶", "running"],
    done: ["✓", "done"],
    freed: ["✓", "freed"],
  };

  // what a node's phase is called after an event
  function phaseName(state, name) {
    return name === "idle" && !isCounted(state) ? "not counted yet" : PHASES[name][1];
  }

  // ---- elements

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  function drawn(tag, attributes = {}, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const WORDS =
    "and|as|assert|async|await|break|cdef|cimport|class|continue|cpdef|def|del|elif|else|except|finally|for|" +
    "from|global|if|import|in|inline|is|lambda|nonlocal|noexcept|not|or|pass|raise|return|try|while|with|" +
    "yield|None|True|False|NULL";
  const TOKEN = new RegExp(
    `("""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*')|(#[^\\n]*)|` +
    `\\b(${WORDS})\\b|\\b(\\d[\\d.e]*)\\b`, "g");

  // the lines of a program, each an array of nodes
  function highlighted(text) {
    const lines = [[]];
    const add = (piece, kind) => {
      piece.split("\n").forEach((part, index) => {
        if (index) lines.push([]);
        if (part) lines[lines.length - 1].push(kind ? element("span", { class: `mtp-${kind}` }, part) : part);
      });
    };
    let end = 0;
    for (const match of text.matchAll(TOKEN)) {
      add(text.slice(end, match.index));
      add(match[0], match[1] ? "string" : match[2] ? "comment" : match[3] ? "word" : "digit");
      end = match.index + match[0].length;
    }
    add(text.slice(end));
    return lines;
  }

  // a block of code with numbered lines, of which some can be marked
  class Code {
    constructor(label) {
      this.pre = element("pre", { class: "mtp-code", tabindex: "0", "aria-label": label });
      this.rows = new Map();
      this.text = null;
    }

    show(text, firstLine) {
      if (this.text === text) return;
      this.text = text;
      this.rows.clear();
      const width = String(firstLine + text.split("\n").length).length;
      const rows = highlighted(text.replace(/\n+$/, "")).map((pieces, index) => {
        const number = firstLine + index;
        const row = element(
          "span", { class: "mtp-line" },
          element("span", { class: "mtp-mark", "aria-hidden": "true" }),
          element("span", { class: "mtp-number", "aria-hidden": "true" }, String(number).padStart(width)),
          element("span", { class: "mtp-text" }, ...pieces, "\n"));
        this.rows.set(number, row);
        return row;
      });
      this.pre.replaceChildren(...rows);
      this.pre.scrollTop = 0;
    }

    // marks: pairs (line, name), the most important last
    mark(marks) {
      for (const row of this.pre.querySelectorAll(".mtp-marked")) {
        row.className = "mtp-line";
        row.removeAttribute("aria-current");
        row.firstChild.textContent = "";
      }
      let last = null;
      for (const [line, name, symbol] of marks) {
        const row = this.rows.get(line);
        if (!row) continue;
        row.classList.add("mtp-marked", `mtp-${name}`);
        row.firstChild.textContent = symbol;
        if (name === "current") row.setAttribute("aria-current", "true");
        last = row;
      }
      if (last) this.scrollTo(last);
    }

    // scroll a line into the part of the block that neither the site's header nor the player's bar covers
    scrollTo(row) {
      const { pre } = this;
      const line = row.offsetHeight;
      const box = pre.getBoundingClientRect();
      const bar = pre.closest(".mtp-frame")?.querySelector(".mtp-bar")?.getBoundingClientRect();
      const header = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
      let above = Math.max(0, header - box.top);
      let below = bar ? Math.max(0, box.bottom - bar.top) : 0;
      if (box.height - above - below < 3 * line) above = below = 0; // out of view: the reader looks elsewhere
      pre.style.removeProperty("--mtp-covered");
      const height = pre.clientHeight;
      pre.style.setProperty("--mtp-covered", `${Math.ceil(below)}px`); // room after the last line
      if (pre.clientHeight !== height) pre.style.removeProperty("--mtp-covered"); // the block grew instead
      const room = pre.clientHeight - above - below;
      const top = row.offsetTop - pre.scrollTop - above;
      if (top < 2 * line || top + 2 * line > room) {
        pre.scrollTop = Math.max(0, row.offsetTop - above - room / 2);
      }
    }
  }

  // ---- the graph

  const LEAST_SCALE = 0.9; // below this scale, the drawing follows the current node

  class Graph {
    constructor(recording) {
      this.recording = recording;
      this.layout = recording.layout;
      this.whole = false;
      this.focus = 0;
      const arrow = `mtp-arrow-${Math.random().toString(36).slice(2)}`;
      this.content = drawn("g", { class: "mtp-content" });
      this.svg = drawn(
        "svg", { class: "mtp-svg", role: "img", "aria-label": "The graph" },
        drawn("defs", {}, ...["", "-sent", "-current"].map((kind) =>
          drawn("marker", {
            id: arrow + kind, class: `mtp-arrow${kind}`, viewBox: "0 0 8 8", refX: "6.5", refY: "4",
            markerWidth: "8", markerHeight: "8", markerUnits: "userSpaceOnUse", orient: "auto",
          }, drawn("path", { d: "M0 0 L8 4 L0 8 z" })))),
        this.content);
      this.canvas = element("div", { class: "mtp-canvas" }, this.svg);
      this.edges = this.layout.edges.map((edge) => {
        const path = drawn("path", { class: "mtp-edge", d: edge.path, fill: "none" });
        this.content.append(path);
        return path;
      });
      this.arrow = arrow;
      this.boxes = recording.nodes.map((node, index) => this.box(node, this.layout.boxes[index]));
      this.content.append(...this.boxes.map((box) => box.group));
      this.labels = drawn("g", {});
      this.content.append(this.labels);
    }

    box(node, [x, y, width, height]) {
      const title = drawn("title");
      const name = drawn("text", { class: "mtp-name", x: width / 2, y: 20, "text-anchor": "middle" });
      name.textContent = node.title;
      if (node.label && node.kind !== "sink") { // the tensor that the node belongs to
        const label = drawn("tspan", { class: "mtp-tensor" });
        label.textContent = `: ${node.label}`;
        name.append(label);
      }
      const value = drawn("text", { class: "mtp-value", x: width / 2, y: 38, "text-anchor": "middle" });
      const phase = drawn("text", { class: "mtp-phase", x: width / 2, y: 56, "text-anchor": "middle" });
      const group = drawn(
        "g", { transform: `translate(${x} ${y})`, "data-node": node.id }, title,
        drawn("rect", { width, height, rx: 8 }), name, value, phase);
      return { group, title, value, phase, width };
    }

    show(state, event) {
      for (const [index, node] of this.recording.nodes.entries()) {
        const { group, title, value, phase, width } = this.boxes[index];
        const pass = passOf(state, index);
        const name = phaseOf(state, index);
        const isCurrent = event !== null && event.node === index;
        let text = "";
        if (name === "waiting" || name === "ready") {
          const buffer = pass.buffers[index];
          text = buffer && buffer.some(Boolean) ? `in ${shownAll(buffer)}` : "";
        } else if (name !== "idle") {
          text = pass.inputs[index] ? `in ${shownAll(pass.inputs[index])}` : "";
        }
        if (node.kind === "sink" && index in state.grads && name !== "waiting" && name !== "ready") {
          text = `.grad ${shownGradient(state.grads[index])}`;
        }
        let words = phaseName(state, name);
        if (name === "waiting") words = `waiting for ${pass.dependencies[index]}`;
        if (name === "freed") words = "done, freed";
        if (event === null) words = "recorded";
        if (name === "running" && pass !== state.tasks[state.task]) words = "running, on hold";
        value.textContent = cut(text, Math.floor((width - 12) / 6.7));
        phase.textContent = `${PHASES[name][0]} ${words}`;
        title.textContent = [node.title, node.origin, text, words].filter(Boolean).join("\n");
        group.setAttribute("class", `mtp-node mtp-is-${name}${isCurrent ? " mtp-at" : ""}`);
        group.setAttribute("data-phase", name);
      }
      this.showEdges(state, event);
      this.svg.setAttribute(
        "aria-label",
        "The graph. " + this.recording.nodes.map((n) => `${n.title}: ${phaseName(state, phaseOf(state, n.id))}`).join(", "));
      if (event !== null && event.node !== null) this.focus = event.node;
      else this.focus = this.recording.events.length ? this.recording.events[0].node ?? 0 : 0;
      this.look();
    }

    showEdges(state, event) {
      this.labels.replaceChildren();
      for (const [index, edge] of this.layout.edges.entries()) {
        const sent = state.edges[`${edge.source}:${edge.edge}`];
        const current = event !== null && event.source === edge.source && event.node === edge.target &&
          (event.edge === null || event.edge === edge.edge) && event.kind !== "buffer";
        const kind = current ? "-current" : sent ? "-sent" : "";
        this.edges[index].setAttribute("class", `mtp-edge${kind ? ` mtp-edge${kind}` : ""}`);
        this.edges[index].setAttribute("marker-end", `url(#${this.arrow}${kind})`);
        if (!current) continue;
        const text = cut(event.kind === "dependency" ? "+1" : shownGradient(event.gradients[1]), 24);
        const width = text.length * 6.7 + 14;
        const x = Math.min(Math.max(edge.middle[0], width / 2 + 1), Math.max(this.layout.width - width / 2 - 1, width / 2));
        const label = drawn("text", { x, y: edge.middle[1] + 4, "text-anchor": "middle" });
        label.textContent = text;
        this.labels.append(drawn(
          "g", { class: "mtp-label" },
          drawn("rect", { x: x - width / 2, y: edge.middle[1] - 10, width, height: 20, rx: 10 }), label));
      }
    }

    // scale the drawing to the panel, or move it so that the current node is in the middle
    look() {
      const { width, height, boxes } = this.layout;
      const room = this.canvas.clientWidth;
      if (!room) return;
      const most = parseFloat(getComputedStyle(this.canvas).getPropertyValue("--mtp-graph-height")) || 420;
      const fit = Math.min(1, room / width, most / height);
      this.follows = fit < LEAST_SCALE;
      const scale = this.follows && !this.whole ? LEAST_SCALE : fit;
      const tall = Math.min(most, height * scale);
      this.svg.setAttribute("width", room);
      this.svg.setAttribute("height", Math.ceil(tall));
      const [x, y, w, h] = boxes[this.focus] ?? [0, 0, 0, 0];
      const place = (middle, size, space) =>
        size * scale <= space ? (space - size * scale) / 2
          : Math.min(0, Math.max(space - size * scale, space / 2 - middle * scale));
      const left = place(x + w / 2, width, room), top = place(y + h / 2, height, tall);
      this.content.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px) scale(${scale.toFixed(4)})`;
      if (this.onLook) this.onLook();
    }
  }

  // ---- the player

  const ICONS = {
    first: "M5 4v16h2V4zm15 0L9 12l11 8z",
    back: "M18 4L6 12l12 8z",
    play: "M6 4l14 8-14 8z",
    pause: "M6 4h4v16H6zm8 0h4v16h-4z",
    forward: "M6 4l12 8-12 8z",
    last: "M4 4l11 8-11 8zm13 0v16h2V4z",
  };

  const icon = (name) => drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d: ICONS[name] }));

  class Player {
    constructor(root, recording, title) {
      this.root = root;
      this.recording = recording;
      this.title = title;
      this.k = 0;
      this.timer = null;
      this.predicting = false;
      this.answer = null;
      this.build();
      Object.defineProperty(root, "state", { get: () => this.state, configurable: true });
      root.player = this;
      this.go(0);
      new ResizeObserver(() => this.graph?.look()).observe(root);
    }

    get count() { return this.recording.events.length; }
    get state() { return stateAfter(this.recording, this.k); }

    build() {
      const { recording, root } = this;
      const old = root.querySelector(":scope > .mtp-static");
      root.classList.add("mtp-live");
      root.tabIndex = 0;
      root.setAttribute("role", "group");
      root.setAttribute("aria-label", `Player of a backward pass: ${this.title}`);
      root.querySelector(":scope > .mtp-frame")?.remove();

      const panels = [];
      if (recording.program) {
        this.program = new Code("The program");
        this.program.show(recording.program.source, 1);
        panels.push(panel("program", `Program ${recording.program.name}`, "▶ runs now · ● recorded the node", this.program.pre));
      }
      if (recording.layout && recording.nodes.length) {
        this.graph = new Graph(recording);
        const follow = element("button", { type: "button", class: "mtp-small", "aria-pressed": "false" }, "Whole graph");
        follow.addEventListener("click", () => {
          this.graph.whole = !this.graph.whole;
          follow.setAttribute("aria-pressed", String(this.graph.whole));
          this.graph.look();
        });
        this.graph.onLook = () => { follow.hidden = !this.graph.follows; };
        const legend = element("ul", { class: "mtp-legend", "aria-label": "Phases of a node" });
        for (const name of ["waiting", "ready", "running", "done", "freed"]) {
          legend.append(element("li", { class: `mtp-is-${name}` }, `${PHASES[name][0]} ${PHASES[name][1]}`));
        }
        legend.append(element("li", { class: "mtp-plain" }, "#1 was recorded first"));
        panels.push(panel("graph", "Graph", follow, this.graph.canvas, legend));
      }
      if (Object.keys(recording.sources ?? {}).length) {
        this.engine = new Code("The engine's source");
        this.place = element("span", { class: "mtp-place" });
        panels.push(panel("engine", "Engine", this.place, this.engine.pre));
      }
      this.lists = {};
      const lists = [
        ["queue", "Ready queue", "The queue is empty."],
        ["dependencies", "Dependencies left", "No node waits."],
        ["buffers", "Input buffers", "All buffers are empty."],
        ["saved", "Saved tensors", "No node has saved a tensor."],
        ["grads", ".grad", "No gradient has been stored."],
        ["captured", "Results for inputs=", ""],
      ];
      const state = element("div", { class: "mtp-panel mtp-panel-state" });
      if (recording.error) {
        const { type, text, notes } = recording.error;
        this.error = element(
          "div", { class: "mtp-error", role: "status", hidden: "" }, element("strong", {}, `${type}: `), text,
          ...[...new Set(notes)].map((note) => element("span", { class: "mtp-note" }, note)));
        (panels[0] ?? state).append(this.error);
      }
      for (const [name, label, empty] of lists) {
        const list = element("ul", { class: "mtp-list" });
        const block = element(
          "div", { class: "mtp-block", "data-list": name, role: "group", "aria-label": label },
          element("div", { class: "mtp-heading" }, label), list);
        this.lists[name] = { list, block, empty };
        state.append(block);
      }
      panels.push(state);

      this.buttons = {};
      const controls = element("div", { class: "mtp-controls", role: "toolbar", "aria-label": "Steps" });
      for (const [name, label, action] of [
        ["first", "First", () => this.go(0)],
        ["back", "Back", () => this.go(this.k - 1)],
        ["play", "Play", () => this.toggle()],
        ["forward", "Forward", () => this.forward()],
        ["last", "Last", () => this.go(this.count)],
      ]) {
        const button = element("button", { type: "button", class: `mtp-${name}`, "aria-label": label, title: label }, icon(name));
        button.addEventListener("click", () => {
          if (name !== "play") this.pause();
          action();
        });
        this.buttons[name] = button;
        controls.append(button);
      }
      this.slider = element("input", {
        type: "range", min: 0, max: this.count, step: 1, value: 0, class: "mtp-slider", "aria-label": "Event",
      });
      this.slider.addEventListener("input", () => { this.pause(); this.go(Number(this.slider.value)); });
      this.counter = element("output", { class: "mtp-counter" });
      const longest = `event ${this.count} of ${this.count}`.length;
      this.counter.style.minWidth = `${(0.55 * longest).toFixed(1)}em`; // the same at every event
      this.predict = element("button", { type: "button", class: "mtp-small mtp-predict", "aria-pressed": "false" }, "Predict");
      this.predict.title = "Ask me which node runs next, where there is a choice";
      this.predict.addEventListener("click", () => {
        this.predicting = !this.predicting;
        root.classList.toggle("mtp-predicting", this.predicting);
        this.predict.setAttribute("aria-pressed", String(this.predicting));
        this.answer = null;
        this.go(this.k);
      });
      this.sentence = element("p", { class: "mtp-sentence", "aria-live": "polite" });
      this.asking = element("div", { class: "mtp-asking" });
      this.reply = element("p", { class: "mtp-answer", role: "status" });
      this.question = element("div", { class: "mtp-question", hidden: "" }, this.reply, this.asking);
      const bar = element(
        "div", { class: "mtp-bar" },
        element("div", { class: "mtp-words" }, this.sentence, this.question),
        element("div", { class: "mtp-row" }, controls, this.slider, this.counter, this.predict));

      this.keys = element("span", { class: "mtp-keys" });
      const frame = element(
        "div", { class: "mtp-frame" },
        element("div", { class: "mtp-head" },
          element("strong", { class: "mtp-title" }, this.title),
          this.keys),
        element("div", { class: "mtp-grid" }, ...panels), bar);
      root.prepend(frame);
      if (old) {
        const details = element("details", { class: "mtp-table" }, element("summary", {}, `All ${this.count} events as a table`));
        old.replaceWith(details);
        details.append(old);
      }
      root.addEventListener("keydown", (event) => this.key(event));
      for (const name of ["focusin", "focusout"]) root.addEventListener(name, () => setTimeout(showAllKeys));
    }

    // the keys that work now
    showKeys() {
      const all = "← → step · Home End jump · Space plays";
      const isAlone = players.length === 1;
      if (this.root.contains(document.activeElement) || (isAlone && isOwnPage())) this.keys.textContent = all;
      else this.keys.textContent = isAlone ? "← → step · more keys after a click here" : `Click here, then: ${all}`;
    }

    get isInView() {
      const { top, bottom, width } = this.root.querySelector(":scope > .mtp-frame").getBoundingClientRect();
      return width > 0 && bottom > 0 && top < window.innerHeight;
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      const target = event.target;
      if (target.closest("details")) return;
      const isButton = target instanceof HTMLButtonElement;
      const inCode = target.classList.contains("mtp-code");
      const isSlider = target === this.slider;
      const actions = {
        ArrowRight: () => this.forward(),
        ArrowLeft: () => this.go(this.k - 1),
        Home: () => this.go(0),
        End: () => this.go(this.count),
        " ": () => this.toggle(),
      };
      const action = actions[event.key];
      if (!action || (isButton && event.key === " ") || (inCode && event.key !== " ")) return;
      if (isSlider && event.key !== " ") return; // the slider has the same keys itself
      event.preventDefault();
      if (event.key !== " ") this.pause();
      action();
    }

    toggle() {
      if (this.timer !== null) return this.pause();
      if (this.asked()) {
        this.answer = "Choose a node, or step forward to skip the question.";
        return this.ask(this.state);
      }
      if (this.k === this.count) this.go(0);
      this.play(true);
    }

    play(begin) {
      this.sentence.setAttribute("aria-live", "off");
      const next = () => {
        if (this.k >= this.count || this.asked()) return this.pause();
        this.go(this.k + 1);
        this.play(false);
      };
      const words = this.sentence.textContent.length;
      this.timer = setTimeout(next, begin ? 250 : Math.min(900 + 22 * words, 5000));
      this.showPlay();
    }

    pause() {
      if (this.timer !== null) clearTimeout(this.timer);
      this.timer = null;
      this.sentence.setAttribute("aria-live", "polite");
      this.showPlay();
    }

    showPlay() {
      const playing = this.timer !== null;
      const label = playing ? "Pause" : "Play";
      if (this.buttons.play.title === label) return;
      this.buttons.play.title = label;
      this.buttons.play.setAttribute("aria-label", label);
      this.buttons.play.replaceChildren(icon(playing ? "pause" : "play"));
    }

    go(k) {
      k = Math.min(Math.max(k, 0), this.count);
      if (k !== this.k) this.answer = null;
      this.k = k;
      this.show();
    }

    // step forward; a question that is open counts as skipped
    forward() {
      const skipped = this.asked() ? this.recording.events[this.k].node : null;
      this.go(this.k + 1);
      if (skipped === null) return;
      this.answer = `Question skipped: ${this.recording.nodes[skipped].title} runs next.`;
      this.ask(this.state);
    }

    show() {
      const { recording, k } = this;
      const state = this.state;
      const before = k ? stateAfter(recording, k - 1) : null;
      const event = k ? recording.events[k - 1] : null;
      this.root.dataset.event = k;
      this.slider.value = k;
      this.slider.setAttribute("aria-valuetext", `event ${k} of ${this.count}${event ? `, ${event.kind}` : ""}`);
      this.counter.textContent = `event ${k} of ${this.count}`;
      for (const name of ["first", "back"]) this.disable(name, k === 0);
      for (const name of ["forward", "last"]) this.disable(name, k === this.count);

      let text = event ? event.sentence
        : "The forward pass has recorded the graph. Step forward to see the backward pass run.";
      this.sentence.replaceChildren(
        event ? element("span", { class: "mtp-kind" }, event.kind) : "", event ? " " : "", text);
      if (this.error) this.error.hidden = k !== this.count;
      if (this.graph) this.graph.show(state, event);
      this.showLists(state, before, event);
      this.ask(state); // before the code, whose lines must not be behind the bar
      if (this.program) {
        const node = event && event.node !== null ? recording.nodes[event.node] : null;
        const marks = [];
        if (node?.line) marks.push([node.line, "origin", "●"]);
        if (event?.program_line) marks.push([event.program_line, "current", "▶"]);
        this.program.mark(marks);
      }
      if (this.engine) this.showEngine(event);
    }

    // a button that is disabled would lose the focus
    disable(name, off) {
      this.buttons[name].setAttribute("aria-disabled", String(off));
    }

    showEngine(event) {
      const name = event ? event.function : this.recording.events[0]?.function;
      const source = this.recording.sources[name];
      this.engine.pre.hidden = !source;
      this.place.replaceChildren(
        element("code", {}, name ?? ""), source ? ` ${source.file}${event?.line ? `:${event.line}` : ""}` : "");
      if (!source) return;
      this.engine.show(source.text, source.first_line);
      this.engine.mark(event?.line ? [[event.line, "current", "▶"]] : []);
    }

    showLists(state, before, event) {
      const rows = this.rowsOf(state, this.k);
      const old = before ? this.rowsOf(before, this.k - 1) : {};
      for (const [name, { list, block, empty }] of Object.entries(this.lists)) {
        const known = new Set((old[name] ?? []).map((row) => row.join("\u0000")));
        const isNew = (row) => before !== null && !known.has(row.join("\u0000"));
        const few = shortened(rows[name], (row) => isNew(row) || (event !== null && row[0] === event.node));
        list.replaceChildren(...few.map((row) => {
          const [node, title, text, mark] = row;
          const classes = [mark && `mtp-${mark}`, isNew(row) && "mtp-new"].filter(Boolean).join(" ");
          return element(
            "li", { "data-node": node, class: classes || null },
            element("span", { class: "mtp-item" }, title),
            ...(text ? [" ", element("span", { class: "mtp-of" }, text)] : []));
        }));
        const left = rows[name].length - few.length;
        if (left) list.append(element("li", { class: "mtp-none" }, `and ${left} more`));
        if (!rows[name].length) list.append(element("li", { class: "mtp-none" }, empty));
        block.hidden = name === "captured" && !rows[name].length;
      }
    }

    // name of a list -> rows (node, title, text, mark)
    rowsOf(state, k) {
      const { recording } = this;
      const title = (id) => recording.nodes[id].title;
      const task = state.tasks[state.task];
      const sequence = (id) => recording.nodes[id].sequence_nr ?? Infinity;
      const rows = { queue: [], dependencies: [], buffers: [], saved: [], grads: [], captured: [] };
      if (task) {
        const next = this.predicting ? null : recording.events.slice(k).find(
          (event) => event.kind === "pop" && event.task === state.task);
        const sorted = [...task.queue]; // by priority, which would give the answer to a question away
        if (!this.predicting) sorted.sort((a, b) => (sequence(a) === sequence(b) ? 0 : sequence(b) - sequence(a)));
        for (const id of sorted) {
          rows.queue.push([id, title(id), next && next.node === id ? "is next" : "", ""]);
        }
        for (const [id, count] of Object.entries(task.dependencies)) {
          if (count > 0) rows.dependencies.push([Number(id), title(id), String(count), ""]);
        }
        for (const [id, buffer] of Object.entries(task.buffers)) {
          rows.buffers.push([Number(id), title(id), shownAll(buffer), ""]);
        }
      }
      for (const node of recording.nodes) {
        if (!node.saved.length || phaseOf(state, node.id) === "idle") continue;
        const freed = state.freed.includes(node.id);
        const text = freed ? "freed" : node.saved.map((s) => `${s.name} = ${shownGradient(s)}`).join(", ");
        rows.saved.push([node.id, node.title, text, freed ? "gone" : ""]);
      }
      for (const [id, gradient] of Object.entries(state.grads)) {
        const node = recording.nodes[id];
        rows.grads.push([Number(id), node.label ? `${node.label}.grad` : title(id), shownGradient(gradient), ""]);
      }
      for (const [index, gradient] of Object.entries(state.captured[state.task] ?? {})) {
        rows.captured.push([index, `inputs[${index}]`, shownGradient(gradient), ""]);
      }
      return rows;
    }

    // ---- prediction

    // the nodes to choose from before the next pop: those that are ready, and some that wait
    choices(state, k = this.k) {
      const next = this.recording.events[k];
      if (!next || next.kind !== "pop") return [];
      const task = state.tasks[next.task];
      if (!task) return [];
      const waiting = Object.keys(task.phase).map(Number).filter((id) => task.phase[id] === "waiting");
      const ids = [...task.queue, ...waiting.slice(0, Math.max(0, 4 - task.queue.length))];
      return ids.length > 1 ? ids.sort((a, b) => a - b) : [];
    }

    asked() {
      return this.predicting && this.choices(this.state).length > 0;
    }

    ask(state) {
      const ids = this.predicting ? this.choices(state) : [];
      this.question.hidden = !this.predicting;
      const text = this.answer ?? (ids.length ? "" : this.promise());
      if (this.reply.textContent !== text) this.reply.textContent = text;
      if (!ids.length) return this.asking.replaceChildren();
      const group = element("div", { class: "mtp-choices", role: "group", "aria-label": "Which node runs next?" });
      for (const id of ids) {
        const button = element("button", { type: "button", "data-node": id }, this.recording.nodes[id].title);
        button.addEventListener("click", () => this.choose(id));
        group.append(button);
      }
      this.asking.replaceChildren(element("p", { class: "mtp-ask" }, "Which node runs next?"), group);
    }

    // what the reader sees between the questions
    promise() {
      const { recording } = this;
      for (let k = this.k + 1; k < this.count; k++) {
        if (recording.events[k].kind === "pop" && this.choices(stateAfter(recording, k), k).length) {
          return "I will ask you before a node runs.";
        }
      }
      return "No question is left. Step back to be asked again.";
    }

    choose(id) {
      const next = this.recording.events[this.k];
      const task = this.state.tasks[next.task];
      const title = this.recording.nodes[id].title;
      if (id === next.node) {
        this.go(this.k + 1);
        this.answer = `Right: ${title} runs next.`;
        this.ask(this.state);
        this.root.focus({ preventScroll: true });
        return;
      }
      if (task.phase[id] === "waiting") {
        const left = task.dependencies[id];
        this.answer = `Not yet: ${title} still waits for ${left} gradient${left === 1 ? "" : "s"}, so it is not in the ready queue.`;
      } else {
        this.answer = `${title} is ready, but not first in the queue: nodes of leaves go first, then the node that was recorded last.`;
      }
      this.ask(this.state);
      this.question.querySelector(`[data-node="${id}"]`)?.focus({ preventScroll: true });
    }
  }

  const MOST_ROWS = 12;

  // the rows that matter now, and of the others as many as there is room for
  function shortened(rows, matters) {
    if (rows.length <= MOST_ROWS) return rows;
    let room = MOST_ROWS - rows.filter(matters).length;
    return rows.filter((row) => matters(row) || room-- > 0);
  }

  function panel(name, title, aside, ...content) {
    return element(
      "div", { class: `mtp-panel mtp-panel-${name}`, role: "group", "aria-label": title },
      element("div", { class: "mtp-top" }, element("div", { class: "mtp-heading" }, title), " ",
        typeof aside === "string" ? element("span", { class: "mtp-place" }, aside) : aside),
      ...content);
  }

  // ---- the page

  const players = [];
  const showAllKeys = () => players.forEach((player) => player.showKeys());
  const isOwnPage = () => document.body.classList.contains("mtp-page");

  function mount(root, recording, title) {
    if (root.player) { // another recording in the same place: listeners go with the old element
      root.player.pause();
      const fresh = root.cloneNode(false);
      fresh.classList.remove("mtp-live");
      const index = players.indexOf(root.player);
      if (index >= 0) players.splice(index, 1);
      root.replaceWith(fresh);
      root = fresh;
    }
    const data = root.querySelector(":scope > script.mtp-recording");
    const made = new Player(
      root, recording ?? JSON.parse(data.textContent),
      title ?? root.dataset.title ?? recording?.program?.name ?? "a backward pass");
    players.push(made);
    showAllKeys();
    return made;
  }

  // ---- a place for a file of the reader's own, from trace.save("steps.json")

  function receive(place) {
    const input = place.querySelector("input[type=file]");
    const message = place.querySelector(".mtp-message");
    const open = async (file) => {
      if (!file) return;
      try {
        const recording = JSON.parse(await file.text());
        if (recording.schema !== "minitorch.trace/2") throw new Error(`its schema is ${recording.schema}`);
        let root = place.querySelector(".minitorch-player");
        if (!root) place.append((root = element("div", { class: "minitorch-player" })));
        const player = mount(root, recording, recording.program?.name ?? file.name);
        message.textContent = `${file.name} has ${player.count} events.`;
        player.root.focus();
      } catch (error) {
        message.textContent = `${file.name} is not a recording: ${error.message}.`;
      }
    };
    input.addEventListener("change", () => open(input.files[0]));
    place.addEventListener("dragover", (event) => event.preventDefault());
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      open(event.dataTransfer.files[0]);
    });
  }

  function mountAll() {
    for (const place of document.querySelectorAll(".minitorch-receiver:not(.mtp-live)")) {
      place.classList.add("mtp-live");
      receive(place);
    }
    for (const root of document.querySelectorAll(".minitorch-player:not(.mtp-live)")) {
      if (root.querySelector(":scope > script.mtp-recording")) mount(root);
    }
  }

  window.minitorchPlayer = { mount, mountAll, stateAfter, phaseOf, shown, players };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mountAll);
  else mountAll();
  // a page with one player: its arrow keys work without a click into it; the other keys scroll the page,
  // except on a page of the player's own
  document.addEventListener("keydown", (event) => {
    if (players.length !== 1 || event.target !== document.body || event.shiftKey) return;
    const isArrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (isOwnPage() || (isArrow && players[0].isInView)) players[0].key(event);
  });
})();
