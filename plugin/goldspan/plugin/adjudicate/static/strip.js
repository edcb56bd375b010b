// @ts-check
/* Strip: all sites of a long text at its edge; a click goes there and decides nothing. */

import { make } from "./lanes.js";
import { parts } from "./actions.js";
import { byId } from "./messages.js";
import { state } from "./state.js";

const CELLS = 200;

const here = make("span", { class: "here" });
const site = make("span", { class: "site" });
/** The ticks that stand there; they are made again only if a site's state changes. */
let drawn = "";

/** @param {import("./text.js").TextPane} pane */
export const showStrip = (pane) => {
  const box = byId("strip");
  const { task } = parts;
  const long = Boolean(task?.view.text) && task.blocks.length > 3;
  box.hidden = !long;
  if (!task || !long) return;
  const cells = new Map();
  const rank = /** @type {Record<string, number>} */ ({ suggested: 0, settled: 1, skipped: 2, reopened: 3, open: 4, contested: 5 });
  for (const [start, , now] of task.sites) {
    const cell = Math.min(CELLS - 1, Math.floor((start / task.length) * CELLS));
    if (now !== "suggested" && (rank[now] ?? 0) >= (rank[cells.get(cell)] ?? 0)) cells.set(cell, now);
  }
  const said = JSON.stringify([...cells]);
  if (said !== drawn) {
    drawn = said;
    box.replaceChildren(here, ...[...cells].map(([cell, now]) => {
      const mark = make("span", { class: `tick-${now}` });
      mark.style.top = `${(cell / CELLS) * 100}%`;
      return mark;
    }), site);
  }
  const low = (task.blocks[pane.first]?.start ?? 0) / task.length;
  const high = (task.blocks[pane.last - 1]?.end ?? 0) / task.length;
  here.style.top = `${low * 100}%`;
  here.style.height = `${Math.max(1, (high - low) * 100)}%`;
  if (state.site) site.style.top = `${(state.site.start / task.length) * 100}%`;
};

/** @param {import("./text.js").TextPane} pane */
export const bindStrip = (pane) => {
  const box = byId("strip");
  const go = (/** @type {PointerEvent} */ event) => {
    const rect = box.getBoundingClientRect();
    const part = Math.min(Math.max((event.clientY - rect.top) / rect.height, 0), 1);
    void pane.go(Math.min(Math.floor(part * (parts.task?.length ?? 0)), Math.max((parts.task?.length ?? 1) - 1, 0)))
      .then(() => showStrip(pane));
  };
  box.addEventListener("pointerdown", (event) => {
    box.setPointerCapture(event.pointerId);
    go(event);
  });
  box.addEventListener("pointermove", (event) => {
    if (box.hasPointerCapture(event.pointerId)) go(event);
  });
};
