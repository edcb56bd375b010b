// @ts-check
/* The lanes of a site: one an annotator, and the draft as gold below, drawn as the report draws. */

import { Lanes, make } from "./lanes.js";
import { parts, pick } from "./actions.js";
import { setEdge } from "./editing.js";
import { byId } from "./messages.js";
import { annotatorName, colour, state } from "./state.js";
import { isTime, short } from "./words.js";

const MOST_LANES = 8;
const GAP = 5;

/** The number of the reading that an annotator's unit belongs to. @param {any[]} unit @param {string[]} who */
export const readingOf = (unit, who) => {
  const name = who[unit[3]];
  const found = state.site?.readings.find((/** @type {any} */ one) => !one.when && one.who.includes(name) &&
    one.spans.some((/** @type {any} */ span) => span[0] === unit[0] && span[1] === unit[1] && span[2] === unit[2]));
  return found?.number ?? 0;
};

class DrawnLanes extends Lanes {
  /** @param {any[]} unit */
  unit(unit) {
    const [lane, row, start, end, category] = unit;
    const reading = unit[6];
    const name = this.names.categories[category];
    const labels = reading ? [`${reading} ${name}`, `${reading}`] : [name];
    const group = this.block(lane, row, start, end, category, labels, unit[7] ? "" : "other");
    if (reading) {
      group.classList.add("clickable");
      group.addEventListener("click", () => pick(reading));
    }
    this.svg?.append(group);
    return group;
  }

  /** @param {any[]} span */
  gold(span) {
    const group = super.gold(span);
    group.classList.add(span[4] ? "current" : "neighbour");
    return group;
  }

  /** The draft alone in place of the one that is drawn. @param {any[][]} spans */
  gild(spans) {
    for (const one of this.lanes.querySelectorAll(".unit.mine, .lane-handle")) one.remove();
    for (const span of spans) this.gold(span);
  }
}

export class SiteLanes {
  constructor() {
    this.box = byId("lanes");
    /** @type {DrawnLanes | null} */
    this.lanes = null;
    /** @type {{ from: number, to: number } | null} */
    this.view = null;
    /** The box's width as it was last seen, and the drawing's in it: a key does not measure again. */
    this.width = 0;
    this.span = 0;
    /** What is drawn but the draft: a key that changes the draft draws only that again. */
    this.drawn = "";
    /** The range of the site, which a draft inside of it does not change. */
    this.shown = { site: "", from: 0, to: 0 };
    new ResizeObserver(() => {
      if (this.box.clientWidth === this.width) return;
      this.width = this.box.clientWidth;
      this.span = 0;
      this.drawn = "";
      if (this.lanes && this.width) this.render();
    }).observe(this.box);
    this.box.addEventListener("pointerdown", (event) => this.grab(event));
  }

  /** What part is shown: that of the wave, or the site with a margin. */
  range() {
    if (this.view) return this.view;
    const { site, draft } = state;
    const low = Math.min(site.start, ...draft.spans.map((span) => span[0]));
    const high = Math.max(site.end, ...draft.spans.map((span) => span[1]));
    const { shown } = this;
    if (shown.site === site.id && draft.choice === "own" && low >= shown.from && high <= shown.to) return shown;
    const margin = Math.max((high - low) * 0.25, isTime() ? 1000 : 4);
    this.shown = { site: site.id, from: Math.max(0, low - margin), to: Math.min(high + margin, parts.task?.view.length ?? Infinity) };
    return this.shown;
  }

  render() {
    if (!state.site || !parts.task) return;
    const { gold, ...others } = this.data();
    const said = JSON.stringify([state.site.id, others, Math.max(0, ...gold.map((span) => span[0]))]);
    if (said === this.drawn && this.lanes?.lanes.isConnected) this.lanes.gild(gold);
    else this.draw({ ...others, gold });
    this.drawn = said;
    this.handles();
  }

  /** What is drawn: the units of the range by lane and row, and the draft. */
  data() {
    const { site, draft } = state;
    const { from, to } = this.range();
    const { units, who } = parts.task;
    const near = units.filter((/** @type {any[]} */ unit) => unit[0] < to && unit[1] > from);
    const { lanes, lane } = this.people(near, who);
    /** @type {number[][]} */
    const ends = lanes.map(() => []);
    /** @type {any[][]} */
    const drawn = [];
    for (const unit of near) {
      const own = lane(unit);
      if (own < 0) continue;
      let row = ends[own].findIndex((end) => end <= unit[0]);
      if (row < 0) row = ends[own].length;
      ends[own][row] = unit[1];
      const here = unit[4] === site.id;
      drawn.push([own, row, Math.max(unit[0], from), Math.min(unit[1], to), colour(unit[2]), drawn.length, here ? readingOf(unit, who) : 0, here]);
    }
    return {
      lanes: lanes.map((/** @type {string} */ name, /** @type {number} */ at) => /** @type {[string, number]} */ ([name, Math.max(1, ends[at].length)])),
      units: drawn, costs: drawn.map(() => [0]), gold: this.goldRows(draft.spans, from, to),
      from, to, measure: site.measure, mirrored: state.mirrored, gap: GAP,
    };
  }

  /** @param {ReturnType<SiteLanes["data"]>} data */
  draw(data) {
    const box = /** @type {any} */ (this.span ? { clientWidth: this.width } : this.box);
    this.lanes = new DrawnLanes(box, /** @type {any} */ (data), { categories: [...state.project.labels, ...Array(8).fill("?")], colours: {} });
    this.box.replaceChildren(this.lanes.lanes);
    this.lanes.render(this.span || undefined);
    if (this.lanes.width && this.lanes.width === this.width) this.span = this.lanes.span;
  }

  /** One lane a person; of many people one lane a reading. @param {any[][]} near @param {string[]} who */
  people(near, who) {
    const { site } = state;
    if (who.length <= MOST_LANES) {
      const here = new Set(near.map((unit) => unit[3]));
      const names = who.map((name) => short(annotatorName(name), 30));
      return { lanes: names, lane: (/** @type {any[]} */ unit) => (here.has(unit[3]) ? unit[3] : -1) };
    }
    const lanes = site.readings.slice(0, MOST_LANES).map((/** @type {any} */ one) =>
      `${annotatorName(one.who[0])}${one.who.length > 1 ? ` +${one.who.length - 1}` : ""}`);
    const seen = new Set();
    return {
      lanes, lane: (/** @type {any[]} */ unit) => {
        const number = unit[4] === site.id ? readingOf(unit, who) : 0;
        const key = `${number} ${unit[0]} ${unit[1]} ${unit[2]}`;
        if (!number || number > lanes.length || seen.has(key)) return -1;
        seen.add(key);
        return number - 1;
      },
    };
  }

  /** @param {import("./draft.js").Span[]} spans @param {number} from @param {number} to */
  goldRows(spans, from, to) {
    /** @type {number[]} */
    const ends = [];
    return spans.map((span, at) => {
      let row = ends.findIndex((end) => end <= span[0]);
      if (row < 0) row = ends.length;
      ends[row] = span[1];
      return [row, Math.max(span[0], from), Math.min(span[1], to), colour(span[2]), at === state.draft.at];
    });
  }

  /** Handles at both ends of the current span, for the mouse; keys and sliders do the same. */
  handles() {
    const span = state.draft.spans[state.draft.at];
    const scroll = this.lanes?.lanes.querySelector(".scroll");
    const block = this.lanes?.svg?.querySelector(".unit.current rect");
    if (!span || !scroll || !block || !isTime()) return;
    for (const edge of /** @type {const} */ (["start", "end"])) {
      const handle = make("div", { class: "handle lane-handle", "data-edge": edge });
      handle.style.left = `${this.lanes?.x(edge === "start" ? span[0] : span[1])}px`;
      handle.style.top = `${block.getAttribute("y")}px`;
      handle.style.height = `${block.getAttribute("height")}px`;
      scroll.append(handle);
    }
  }

  /** @param {PointerEvent} event */
  grab(event) {
    const handle = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".lane-handle"));
    const edge = /** @type {"start" | "end" | undefined} */ (handle?.dataset.edge);
    if (!edge) return;
    event.preventDefault();
    this.box.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ moved) => {
      const scroll = this.lanes?.lanes.querySelector(".scroll");
      if (!scroll || !this.lanes) return;
      const place = this.lanes.position(moved.clientX - scroll.getBoundingClientRect().left);
      setEdge(edge, Math.max(0, Math.round(place / 10) * 10));
    };
    const end = () => {
      this.box.removeEventListener("pointermove", move);
      this.box.removeEventListener("pointerup", end);
      this.box.removeEventListener("pointercancel", end);
    };
    this.box.addEventListener("pointermove", move);
    this.box.addEventListener("pointerup", end);
    this.box.addEventListener("pointercancel", end);
  }
}
