// @ts-check
/* Alignment: the units of one task, drawn as the report draws them; a panel says why a unit is aligned so.
   With a setting kept as A, both alignments are drawn. */
import { post } from "./api.js";
import { make, one } from "./elements.js";
import { draw, Lanes, place } from "./lanes.js";
import { svgOf } from "./svg.js";

/** @param {number} value */
const number = (value) => (value && Math.abs(value) < 0.1 ? String(Number(value.toPrecision(2))) : value.toFixed(3)).replace("-", "−");

class TaskLanes extends Lanes {
  /** @param {HTMLElement} box @param {any} answer @param {(link: number, unit: any[]) => void} choose */
  constructor(box, answer, choose) {
    super(box, answer.drawn, { categories: answer.categories, colours: {} });
    this.choose = choose;
    this.chosen = -1;
    box.append(this.lanes);
    this.render();
    this.follow();
  }

  described() {
    return { role: "group", "aria-label": "Alignment: arrow keys move between units, Enter explains one" };
  }

  fill() {
    super.fill();
    this.shown?.[0]?.setAttribute("tabindex", "0");
    this.mark();
  }

  /** @param {any[]} unit */
  unit(unit) {
    const [lane, row, start, end, category, link] = unit;
    const label = this.names.categories[category];
    const alone = this.groups[link].length === 1;
    const group = this.block(lane, row, start, end, category, [label], alone ? "lone" : "");
    group.setAttribute("tabindex", "-1");
    group.setAttribute("role", "button");
    group.setAttribute("data-link", link);
    group.setAttribute("aria-label", `${this.data.lanes[lane][0]}: ${label} ${place(this.data, start)}–${place(this.data, end)}`);
    group.addEventListener("click", () => { group.focus({ preventScroll: true }); this.pick(link, unit); });
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.pick(link, unit);
      } else this.move(event, unit);
    });
    this.svg.append(group);
    // The name of a button has to hold the words that are written on it, but these may be shortened.
    const text = group.querySelector("text");
    if (text) {
      const written = draw("g", { class: "written", "aria-hidden": "true" });
      written.append(text);
      this.svg.append(written);
    }
    return group;
  }

  /** @param {SVGElement} band @param {any[][]} _group @param {number} link */
  band(band, _group, link) {
    band.addEventListener("click", () => this.pick(link, _group[0]));
  }

  /** @param {number} link @param {any[]} unit */
  pick(link, unit) {
    this.chosen = link;
    this.mark();
    this.choose(link, unit);
  }

  mark() {
    for (const element of this.svg.querySelectorAll("[data-link]")) {
      const on = Number(element.getAttribute("data-link")) === this.chosen;
      element.classList.toggle("on", on);
      if (element.getAttribute("role") === "button") element.setAttribute("aria-pressed", String(on));
    }
  }
}

export class AlignmentView {
  /** @param {() => any} state @param {() => any} kept the state kept as A, or null @param {(error: unknown) => void} complain */
  constructor(state, kept, complain) {
    this.state = state;
    this.kept = kept;
    this.complain = complain;
    this.asked = 0;
    /** @type {TaskLanes[]} */
    this.drawn = [];
    one("#alignment-box").addEventListener("toggle", () => this.show());
    one("#task").addEventListener("input", () => this.show());
    one("#svg").addEventListener("click", () => this.save());
    for (const [id, factor] of /** @type {[string, number][]} */ ([["#zoom-out", 0.5], ["#zoom-in", 2]])) {
      one(id).addEventListener("click", () => {
        for (const lanes of this.drawn) {
          lanes.zoom = Math.min(64, Math.max(1, lanes.zoom * factor));
          lanes.render();
        }
      });
    }
  }

  /** The tasks that can be chosen. @param {any} opened @param {any} state */
  fill(opened, state) {
    const before = one("#task").value;
    const names = opened.task_names.filter((/** @type {string} */ name) => !state.left_out_tasks.includes(name));
    one("#task").replaceChildren(...names.map((/** @type {string} */ name) => make("option", { value: name }, name)));
    if (names.includes(before)) one("#task").value = before;
  }

  /** Save each drawing as a file. */
  save() {
    this.drawn.forEach((lanes, at) => {
      const name = this.drawn.length > 1 ? "AB"[at] : "";
      const title = [one("#task").value, name].filter(Boolean).join(", ");
      const address = URL.createObjectURL(new Blob([svgOf(lanes, title)], { type: "image/svg+xml" }));
      make("a", { href: address, download: `alignment${name && `-${name}`}.svg` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    });
  }

  /** Draw the chosen task again, if anybody sees it. */
  async show() {
    this.asked += 1;
    const own = this.asked;
    if (!one("#alignment-box").open || !one("#task").value) return;
    const task = one("#task").value;
    const kept = this.kept();
    try {
      const states = kept ? [["A", kept], ["B", this.state()]] : [["", this.state()]];
      const answers = await Promise.all(states.map(([, state]) => post("/api/task", { state, task })));
      if (own !== this.asked) return;
      one("#explained").hidden = true;
      this.drawn = [];
      one("#alignment").replaceChildren();
      answers.forEach((answer, at) => this.draw(answer, states[at], task));
    } catch (error) {
      if (own !== this.asked) return;
      one("#alignment").replaceChildren(make("p", { class: "soft" }, error instanceof Error ? error.message : String(error)));
      one("#explained").hidden = true;
    }
    one("#alignment").dataset.task = task;
  }

  /** @param {any} answer @param {any[]} named @param {string} task */
  draw(answer, [name, state], task) {
    const figure = make("figure", { "data-setting": name });
    const proved = answer.optimal ? "" : ", not proved to be the least";
    const gamma = answer.gamma === null ? "" : `, γ ${number(answer.gamma)}`;
    figure.append(make("figcaption", { class: "soft" }, `${name ? `${name}: ` : ""}disorder ${number(answer.disorder)}${proved}${gamma}`));
    const box = make("div");
    figure.append(box);
    one("#alignment").append(figure);
    this.drawn.push(new TaskLanes(box, answer, (link, unit) => this.explain({ state, task, link, name }, answer, unit)));
  }

  /** @param {any} asked @param {any} answer @param {any[]} unit */
  async explain({ state, task, link, name }, answer, unit) {
    const own = this.asked;
    const box = one("#explained");
    box.hidden = false;
    box.replaceChildren(make("p", { class: "soft" }, "Looking for the next best alignment …"));
    delete box.dataset.link;
    try {
      const why = await post("/api/unit", { state, task, link });
      if (own !== this.asked) return;
      box.replaceChildren(...panel(why, answer.drawn, name));
      box.dataset.link = String(link);
    } catch (error) {
      box.hidden = true;
      this.complain(error);
    }
  }
}

/** @param {any} why @param {any} drawn @param {string} name */
const panel = (why, drawn, name) => {
  const said = (/** @type {any} */ unit) => `${unit.annotator}: ${unit.label} ${place(drawn, unit.start)}–${place(drawn, unit.end)}`;
  const parts = [make("h3", {}, `${name ? `${name}: ` : ""}${why.units.length > 1 ? "Aligned units" : "A unit without a partner"}`)];
  const units = make("ul");
  units.append(...why.units.map((/** @type {any} */ unit) => make("li", {}, said(unit))));
  if (why.missing.length) units.append(make("li", { class: "soft" }, `No unit: ${why.missing.join(", ")}`));
  parts.push(units, costs(why), ...instead(why, said));
  return parts;
};

/** How the disorder is made, pair by pair. @param {any} why */
const costs = (why) => {
  const box = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "How the disorder is made" });
  const table = make("table", { class: "costs" });
  const row = (/** @type {string} */ tag, /** @type {string[]} */ cells) => {
    const line = make("tr");
    line.append(...cells.map((text, at) => make(at ? tag : "th", at && tag === "td" ? {} : { scope: at ? "col" : tag === "td" ? "row" : "col" }, text)));
    return line;
  };
  table.append(row("th", ["Pair", "Position", "Label", `α · position + β · label`]));
  for (const pair of why.found) {
    const cost = why.alpha * pair.positional + (pair.categorial ? why.beta * pair.categorial : 0);
    table.append(row("td", [
      `${why.units[pair.one].annotator}, ${why.units[pair.other].annotator}`, number(pair.positional), number(pair.categorial),
      `${why.alpha} · ${number(pair.positional)} + ${why.beta} · ${number(pair.categorial)} = ${number(cost)}`,
    ]));
  }
  if (why.empty) table.append(row("td", [`${why.empty} ${why.empty === 1 ? "pair" : "pairs"} with a missing unit`, "", "", `${why.empty} · δ empty, which is 1 = ${why.empty}`]));
  table.append(row("td", ["Disorder", "", "", `sum divided by ${why.pairs} ${why.pairs === 1 ? "pair" : "pairs"} = ${number(why.disorder)}`]));
  box.append(table);
  return box;
};

/** @param {any} why @param {(unit: any) => string} said */
const instead = (why, said) => {
  const other = why.alternative;
  if (!other) return [make("p", {}, "No other alignment is possible: there is nothing else that these units could be aligned with.")];
  const more = other.disorder - why.total;
  const cost = Math.abs(more) < 1e-9
    ? `The next best alignment costs the same: disorder ${number(why.total)}.`
    : `The next best alignment costs ${number(more)} more: the disorder of the task would be ${number(other.disorder)} instead of ${number(why.total)}.`;
  const list = make("ul");
  list.append(...other.unitary.map((/** @type {any[]} */ units) =>
    make("li", {}, units.map(said).join(" with ") + (units.length === 1 ? ", without a partner" : ""))));
  const parts = [make("p", { "data-more": String(more) }, `${cost} In it:`), list];
  if (!other.optimal) parts.push(make("p", { class: "soft" }, "It was not proved that there is no cheaper one."));
  return parts;
};
