/* Sorting, filters, and the alignment views, which extend those of lanes.js. Data is put in place as
   text, never as markup. */
(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);

  /* Light and dark */
  const root = document.documentElement;
  const remembered = (value) => {
    try {
      if (value) localStorage.setItem("goldspan-theme", value);
      return localStorage.getItem("goldspan-theme");
    } catch { return null; }  // some browsers keep nothing for files
  };
  if (remembered()) root.dataset.theme = remembered();
  one("#theme").addEventListener("click", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    remembered(root.dataset.theme);
  });

  /* The tip beside what is pointed at or focused */
  const tip = one("#tip");
  let pointed = null;
  const hideTip = () => { tip.hidden = true; };
  const placeTip = () => {
    const at = pointed.getBoundingClientRect();
    const box = tip.getBoundingClientRect();
    const left = Math.min(at.left + at.width / 2 - box.width / 2, innerWidth - box.width - 8);
    const above = at.top - box.height - 8;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${above > 4 ? above : at.bottom + 8}px`;
  };
  const showTip = (target, title, lines) => {
    tip.replaceChildren(make("b", {}, title), ...lines.map((line) => make("p", {}, line)));
    pointed = target;
    tip.hidden = false;
    placeTip();
  };
  addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
  addEventListener("scroll", () => {
    if (tip.hidden) return;
    if (pointed === document.activeElement || pointed.matches(":hover")) placeTip();
    else hideTip();
  }, { passive: true, capture: true });

  const list = one("#task-list");
  if (!list) return;
  const names = JSON.parse(one("#names").textContent);

  /* The task list */
  const PAGE = 50;
  const tasks = all("tbody.task", list);
  const state = { sort: "gamma", down: false, pair: null, most: PAGE };
  const costs = new Map(tasks.map((task) => [task, new Map(
    task.dataset.costs.split(" ").filter(Boolean).map((item) => item.split(":")),
  )]));
  const key = (task) => {
    if (state.sort === "id") return task.dataset.id;
    if (state.sort === "pair") return Number(costs.get(task).get(state.pair) ?? 0);
    return task.dataset[state.sort] === undefined ? null : Number(task.dataset[state.sort]);
  };
  const compare = (a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return (x === null) - (y === null);  // no figure: last
    const order = typeof x === "string" ? x.localeCompare(y, undefined, { numeric: true }) : x - y;
    return (state.down ? -order : order) || a.dataset.n - b.dataset.n;
  };
  const matches = (task) => {
    const wanted = one("#find").value.trim().toLocaleLowerCase();
    const label = one("#by-label").value;
    const kind = one("#by-kind").value;
    const who = task.dataset.who.split(" ");
    return (!wanted || task.dataset.id.toLocaleLowerCase().includes(wanted))
      && (!label || task.dataset.labels.split(" ").includes(label))
      && (!kind || task.dataset.kind === kind)
      && (!state.pair || state.pair.split("-").every((name) => who.includes(name)));
  };
  const update = () => {
    const found = tasks.filter(matches).sort(compare);
    const hidden = new Set(tasks);
    found.forEach((task, place) => {
      list.append(task);
      task.hidden = place >= state.most;
      hidden.delete(task);
    });
    hidden.forEach((task) => { task.hidden = true; });
    one("#shown").textContent = `${Math.min(found.length, state.most)} of ${found.length} shown`
      + (found.length < tasks.length ? `, ${tasks.length} in all` : "");
    one("#more").hidden = found.length <= state.most;
    all(".pair-cost", list).forEach((cell) => { cell.hidden = !state.pair; });
    if (state.pair) found.forEach((task) => {
      one("td.pair-cost", task).textContent = Number(costs.get(task).get(state.pair) ?? 0).toFixed(2);
    });
    all("[data-sort]", list).forEach((button) => {
      const mine = button.dataset.sort === state.sort;
      button.closest("th").setAttribute("aria-sort", mine ? (state.down ? "descending" : "ascending") : "none");
    });
    all("td[colspan]", list).forEach((cell) => { cell.colSpan = state.pair ? 8 : 7; });
  };
  all("[data-sort]", list).forEach((button) => button.addEventListener("click", () => {
    state.down = state.sort === button.dataset.sort ? !state.down : "down" in button.dataset;
    state.sort = button.dataset.sort;
    update();
  }));
  ["#find", "#by-label", "#by-kind"].forEach((selector) => one(selector).addEventListener("input", () => {
    state.most = PAGE;
    update();
  }));
  one("#more").addEventListener("click", () => { state.most += PAGE; update(); });

  /* The matrix of pairs filters the list */
  const choose = (pair) => {
    state.pair = pair;
    state.sort = pair ? "pair" : "gamma";
    state.down = Boolean(pair);
    state.most = PAGE;
    all(".pair").forEach((cell) => cell.setAttribute("aria-pressed", String(cell.dataset.pair === pair)));
    const filter = one("#pair-filter");
    filter.hidden = !pair;
    if (pair) filter.textContent = `${pair.split("-").map((at) => names.annotators[at]).join(" × ")}  ✕`;
    filter.setAttribute("aria-label", pair ? `Show all annotators again, not only ${filter.textContent}` : "");
    update();
    all(".view").forEach((view) => view.dispatchEvent(new Event("pair")));
  };
  all(".pair").forEach((cell) => {
    const say = () => { one("#pair-said").textContent = cell.dataset.said; };
    cell.title = cell.dataset.said;
    cell.setAttribute("aria-label", cell.dataset.said);
    cell.addEventListener("focus", say);
    cell.addEventListener("mouseenter", say);
    cell.addEventListener("click", () => {
      const off = state.pair === cell.dataset.pair;
      choose(off ? null : cell.dataset.pair);
      one("#pair-said").textContent = off ? cell.dataset.said
        : `${cell.dataset.said}. The task list shows the tasks of these two, highest cost first.`;
    });
  });
  one("#pair-filter").addEventListener("click", () => choose(null));

  /* Alignment views */
  const colour = (category) => names.colours[category] || `var(--c${category % 8})`;
  const number = (value) => value && value < 0.1 ? String(Number(value.toPrecision(2))) : value.toFixed(2);

  class View extends Lanes {
    constructor(box, data) {
      super(box, data, names);
      data.points = data.text === undefined ? null : Array.from(data.text);  // positions count code points
      this.bar();
      this.box.append(this.lanes);
      if (data.points) this.text();
      if (data.decide) this.decide();
      this.render();
      this.follow();
      this.box.addEventListener("pair", () => this.render());
    }

    bar() {
      const bar = make("div", { class: "bar" });
      const { data } = this;
      const unit = { millisecond: "minutes and seconds", character: "characters" }[data.measure] ?? `${data.measure}s`;
      bar.append(make("span", {}, `${data.units.length} ${data.units.length === 1 ? "unit" : "units"}, drawn to scale in ${unit}`
        + (data.left_out ? `; ${data.left_out} further units are not drawn` : "")
        + (data.others.length ? `. Not counted: ${data.others.map(([name, state]) => `${name} (${state})`).join(", ")}` : "")));
      for (const [sign, said, factor] of [["−", "Zoom out", 0.5], ["+", "Zoom in", 2]]) {
        const button = make("button", { type: "button", "aria-label": said }, sign);
        button.addEventListener("click", () => {
          this.zoom = Math.min(64, Math.max(1, this.zoom * factor));
          this.render();
        });
        bar.append(button);
      }
      this.box.append(bar);
    }

    described() {
      return { role: "group", "aria-label": "Alignment: arrow keys move between units" };
    }

    fill() {
      const { data } = this;
      const pair = state.pair ? state.pair.split("-").map((at) => names.annotators[at]) : null;
      this.mine = pair && pair.every((name) => data.lanes.some(([lane]) => lane === name))
        ? data.lanes.map(([lane]) => pair.includes(lane)) : null;
      this.svg.classList.toggle("quiet-units", Boolean(this.mine));
      super.fill();
      if (this.shown.length) this.shown[0].setAttribute("tabindex", "0");
    }

    band(band, group, link) {
      band.addEventListener("mouseenter", () => this.say(band, link, `Alignment of ${group.length} units`));
      band.addEventListener("mouseleave", () => this.hush());
    }

    unit(unit) {
      const [lane, row, start, end, category, link] = unit;
      const label = names.categories[category];
      const alone = this.groups[link].length === 1;
      const group = this.block(lane, row, start, end, category, [label], `${alone ? "lone" : ""} ${this.mine?.[lane] ? "mine" : ""}`);
      const title = `${this.data.lanes[lane][0]}: ${label} ${this.quote(start, end)}`;
      group.setAttribute("tabindex", "-1");
      group.setAttribute("role", "img");
      group.setAttribute("data-link", link);
      group.setAttribute("aria-label", [title, ...this.costLines(link)].join(". "));
      const say = () => this.say(group, link, title, [start, end]);
      group.addEventListener("mouseenter", say);
      group.addEventListener("focus", say);
      group.addEventListener("mouseleave", () => this.hush());
      group.addEventListener("blur", () => this.hush());
      group.addEventListener("click", () => group.focus());
      group.addEventListener("keydown", (event) => this.move(event, unit));
      this.svg.append(group);
      return group;
    }

    gold([row, start, end, category, confidence, votes, seen]) {
      const share = `${Math.round(confidence * 100)}%`;
      const labels = [`${names.categories[category]} ${share}`, share];
      const group = this.block(this.data.lanes.length, row, start, end, category, labels, "mine");
      one("rect", group).style.fillOpacity = String(0.25 + 0.75 * confidence);
      const title = `Suggested: ${names.categories[category]} ${this.quote(start, end)}`;
      const lines = [`Confidence ${number(confidence)}`, `${votes} of ${seen} annotators gave this label here`];
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "img");
      group.setAttribute("aria-label", [title, ...lines].join(". "));
      const say = () => { this.light([start, end]); showTip(group, title, lines); };
      group.addEventListener("mouseenter", say);
      group.addEventListener("focus", say);
      group.addEventListener("mouseleave", () => this.hush());
      group.addEventListener("blur", () => this.hush());
      this.svg.append(group);
    }

    quote(start, end) {
      const { data } = this;
      const range = `${place(data, start)}–${place(data, end)}`;
      if (!data.points || end > data.points.length) return range;
      const words = data.points.slice(start, end).join("").replace(/\s+/g, " ");
      return `“${words.length > 80 ? `${words.slice(0, 79)}…` : words}” (${range})`;
    }

    costLines(link) {
      const { data } = this;
      const [whole, positional, categorial, missing] = data.costs[link];
      const parts = [["position", positional], ["label", categorial], ["missing units", missing]]
        .filter(([, cost]) => cost > 0).map(([name, cost]) => `${name} ${number(cost)}`);
      const group = this.groups[link];
      const there = group.map((unit) => `${data.lanes[unit[0]][0]} ${names.categories[unit[4]]} ${place(data, unit[2])}–${place(data, unit[3])}`);
      const present = new Set(group.map((unit) => unit[0]));
      const absent = data.lanes.filter((_, lane) => !present.has(lane)).map(([name]) => name);
      return [
        `Cost ${number(whole)}${parts.length ? `: ${parts.join(", ")}` : ": full agreement"}`,
        group.length > 1 ? `Aligned: ${there.join("; ")}` : "Nobody else marked it",
        ...(absent.length && group.length > 1 ? [`No unit: ${absent.join(", ")}`] : []),
      ];
    }

    say(target, link, title, range) {
      this.hush();
      all(`[data-link="${link}"]`, this.svg).forEach((element) => element.classList.add("on"));
      if (range) this.light(range);
      showTip(target, title, this.costLines(link));
    }

    hush() {
      hideTip();
      all(".on", this.box).forEach((element) => element.classList.remove("on"));
    }

    light([start, end]) {
      (this.spans ?? []).forEach(([from, to, span]) => span.classList.toggle("on", from < end && to > start));
    }

    /* The places where a person should decide, with what each annotator marked there. */
    decide() {
      const { data } = this;
      const box = make("div", { class: "decide" });
      const places = make("ol");
      for (const [question, start, end, suggested, readings] of data.decide) {
        const item = make("li");
        item.append(make("b", {}, names.questions[question]), ` ${this.quote(start, end)}`);
        if (suggested) item.append(make("span", { class: "quiet" }, ` suggested: ${names.categories[suggested[2]]} ${this.quote(suggested[0], suggested[1])}`));
        const list = make("ul");
        for (const [from, to, category, who] of readings) {
          const reading = make("li");
          const swatch = make("span", { class: `swatch c${category % 8}` });
          swatch.style.setProperty("--c", colour(category));
          reading.append(swatch, `${names.categories[category]} ${this.quote(from, to)}: ${who.join(", ")}`);
          list.append(reading);
        }
        item.append(list);
        item.addEventListener("mouseenter", () => this.light([start, end]));
        item.addEventListener("mouseleave", () => this.hush());
        places.append(item);
      }
      const count = data.decide.length + data.decide_left_out;
      box.append(make("h4", {}, `To decide: ${count} ${count === 1 ? "place" : "places"}`), places);
      if (data.decide_left_out) box.append(make("p", { class: "quiet" }, `${data.decide_left_out} more are not shown here.`));
      this.box.append(box);
    }

    /* The text, with a line under it for each row of each lane. */
    text() {
      const { data } = this;
      const first = [];
      let rows = 0;
      data.lanes.forEach(([, count]) => { first.push(rows); rows += count; });
      const marks = data.units.map(([lane, row, start, end, category]) => [start, end, first[lane] + row, category]);
      (data.gold ?? []).forEach(([row, start, end, category]) => marks.push([start, end, rows + row, category]));
      const depth = Math.min(16, Math.max(0, ...marks.map((mark) => mark[2])) + 1);
      const cuts = [...new Set([0, data.points.length, ...marks.flatMap(([start, end]) => [start, end])])]
        .filter((cut) => cut <= data.points.length).sort((a, b) => a - b);
      const text = make("p", { class: "text", dir: "auto", tabindex: "0", "aria-label": "The text" });
      text.style.lineHeight = `calc(1.35em + ${depth * 5 + 6}px)`;
      text.style.paddingBottom = `${depth * 5}px`;  // the last line's lines stand below it
      this.spans = [];
      marks.sort((a, b) => a[0] - b[0]);
      let waiting = 0, active = [];
      for (let at = 1; at < cuts.length; at += 1) {
        const [start, end] = [cuts[at - 1], cuts[at]];
        while (waiting < marks.length && marks[waiting][0] <= start) active.push(marks[waiting++]);
        active = active.filter((mark) => mark[1] > start);
        const span = make("span", {}, data.points.slice(start, end).join(""));
        const lines = active.filter((mark) => mark[2] < depth);
        if (lines.length) {
          span.style.paddingBottom = `${depth * 5 + 2}px`;
          span.style.backgroundImage = lines.map((mark) => `linear-gradient(${colour(mark[3])},${colour(mark[3])})`).join(",");
          span.style.backgroundSize = "100% 3px";
          span.style.backgroundPosition = lines.map((mark) => `0 calc(100% - ${(depth - 1 - mark[2]) * 5}px)`).join(",");
        }
        this.spans.push([start, end, span]);
        text.append(span);
      }
      const order = [...data.lanes.map(([name]) => name), ...(data.gold ? ["gold"] : [])].join(", ");
      this.box.append(text, make("p", { class: "quiet" }, `Lines under the text, from above: ${order}.`
        + (data.text_left_out ? ` The text goes on for ${data.text_left_out} characters.` : "")));
    }
  }

  const PAPER = 560;
  const views = [];
  addEventListener("beforeprint", () => views.forEach((view) => view.render(PAPER)));
  addEventListener("afterprint", () => views.forEach((view) => view.render()));
  all(".open", list).forEach((button) => button.addEventListener("click", () => {
    const task = button.closest("tbody");
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    task.classList.toggle("is-open", open);
    let row = one(".detail", task);
    if (!row) {
      row = make("tr", { class: "detail" });
      const cell = make("td", { colspan: state.pair ? 8 : 7 });
      const view = make("div", { class: "view" });
      cell.append(view);
      row.append(cell);
      task.append(row);
      views.push(new View(view, JSON.parse(one(`#t${task.dataset.n}`).textContent)));
    }
    row.hidden = !open;
  }));

  update();
  if (tasks.length) {
    const first = one(".open", tasks.find((task) => !task.hidden) ?? tasks[0]);
    if (first) first.click();
  }
})();
