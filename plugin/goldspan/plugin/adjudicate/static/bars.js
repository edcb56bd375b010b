// @ts-check
/* Bars: what annotators marked, as a row each under the lines of the text; the draft as a tint with
   two handles. All of it is a picture of what the readings say. */

import { draw, make } from "./lanes.js";
import { colourClass, state } from "./state.js";

const ROW = 5, MOST_ROWS = 12;

/** Rows for units: one an annotator, more where an annotator's units overlap.
 * @param {any[][]} units @param {number} people */
export const rowsOf = (units, people) => {
  /** @type {number[][]} */
  const ends = Array.from({ length: people }, () => []);
  const own = units.map((unit) => {
    const rows = ends[unit[3]];
    let row = rows.findIndex((end) => end <= unit[0]);
    if (row < 0) row = rows.length;
    rows[row] = unit[1];
    return row;
  });
  const first = [0];
  ends.forEach((rows) => first.push(/** @type {number} */ (first.at(-1)) + Math.max(rows.length, 1)));
  const count = Math.min(first[people], MOST_ROWS);
  return { count, row: (/** @type {number} */ at) => Math.min(first[units[at][3]] + own[at], MOST_ROWS - 1) };
};

/** The side of a position: where a span that starts (or ends) there begins on the screen.
 * @param {import("./text.js").TextPane} pane @param {number} position @param {"start" | "end"} edge */
const edgeOf = (pane, position, edge) => {
  const rect = edge === "start" ? pane.rects(position, position + 1)[0] : pane.rects(position - 1, position).at(-1);
  if (!rect) return null;
  const [beside] = edge === "start" ? pane.rects(position + 1, position + 2) : pane.rects(position - 2, position - 1);
  let mirrored = pane.isMirrored(edge === "start" ? position : position - 1);
  if (beside && beside.width && Math.abs(beside.top - rect.top) < rect.height / 2) {
    mirrored = edge === "start" ? beside.left < rect.left : beside.left > rect.left;
  }
  const x = (edge === "start") === mirrored ? rect.right : rect.left;
  return { x, top: rect.top, bottom: rect.bottom };
};

/** Where the units of the window are, from its corner. Reads the layout; changes nothing.
 * @param {import("./text.js").TextPane} pane */
export const readBars = (pane) => {
  const { task, rectangles } = pane;
  const low = task?.blocks[pane.first]?.start ?? 0;
  const high = task?.blocks[pane.last - 1]?.end ?? 0;
  const origin = pane.page.getBoundingClientRect();
  rectangles.clear();
  task?.units.forEach((unit, at) => {
    if (unit[0] >= high || unit[1] <= low) return;
    rectangles.set(at, pane.rects(unit[0], unit[1]).map((rect) =>
      new DOMRect(rect.x - origin.x, rect.y - origin.y, rect.width, rect.height)));
  });
};

/** The bars of what was read: those of the site one by one, all others as one path.
 * @param {import("./text.js").TextPane} pane */
export const drawBars = (pane) => {
  const { task } = pane;
  if (!task) return;
  let others = "";
  /** @type {SVGElement[]} */
  const own = [];
  for (const [at, rects] of pane.rectangles) {
    const unit = task.units[at];
    const here = unit[4] !== "" && unit[4] === state.site?.id;
    for (const rect of rects) {
      const [x, y] = [rect.x + 0.5, rect.bottom + 2 + pane.rows.row(at) * ROW];
      const width = Math.max(rect.width - 1, 2);
      if (here) {
        const bar = draw("rect", { class: `bar here ${colourClass(unit[2])}`, x, y, width, height: ROW - 2 });
        bar.addEventListener("click", () => pane.chosen(unit));
        own.push(bar);
      } else others += `M${x} ${y}h${width}v${ROW - 2}h${-width}z`;
    }
  }
  pane.bars.replaceChildren(draw("path", { class: "bar", d: others }), ...own);
};

/** Where the draft's tint and handles go, from the corner of the window. Reads the layout; changes nothing.
 * @param {import("./text.js").TextPane} pane */
export const readDraft = (pane) => {
  const origin = pane.page.getBoundingClientRect();
  const { spans } = state.draft;
  const extra = [];
  if (!pane.marks) {
    for (const rect of spans.flatMap((one) => pane.rects(one[0], one[1]))) {
      const tint = make("div", { class: "tint" });
      place(tint, rect.x - origin.x, rect.y - origin.y, rect.width, rect.height);
      extra.push(tint);
    }
  }
  const span = spans[state.draft.at];
  for (const edge of /** @type {const} */ (["start", "end"])) {
    if (!span) continue;
    const found = edgeOf(pane, edge === "start" ? span[0] : span[1], edge);
    if (!found) continue;
    const handle = make("div", { class: `handle ${edge}`, "data-edge": edge });
    place(handle, found.x - origin.x, found.top - origin.y, 0, found.bottom - found.top);
    extra.push(handle);
  }
  return extra;
};

/** @param {import("./text.js").TextPane} pane @param {ReturnType<typeof readDraft>} extra */
export const writeDraft = (pane, extra) => {
  const { marks } = pane;
  if (marks) {
    const Highlight = /** @type {any} */ (globalThis).Highlight;
    const { spans, at } = state.draft;
    const ranges = spans.map((span) => pane.range(span[0], span[1]));
    const site = state.site ? pane.range(state.site.start, state.site.end) : null;
    marks.set("site", new Highlight(...(site ? [site] : [])));
    marks.set("draft", new Highlight(...ranges.filter((one, place) => one && place !== at)));
    marks.set("current", new Highlight(...(ranges[at] ? [ranges[at]] : [])));
  }
  pane.drafted.replaceChildren(...extra);
};

/** @param {HTMLElement} element @param {number} x @param {number} y @param {number} width @param {number} height */
const place = (element, x, y, width, height) => {
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
  if (width) element.style.width = `${width}px`;
  element.style.height = `${height}px`;
};
