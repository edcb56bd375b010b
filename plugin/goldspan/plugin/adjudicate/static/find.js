// @ts-check
/* Find: in the whole text, of which the browser's own search sees the window only. */

import { parts } from "./actions.js";
import { byId } from "./messages.js";

/** @typedef {{ start: number, end: number }} Match */

/** All places of a text in the blocks that are here. @param {import("./tasks.js").Task} task @param {string} wanted
 * @returns {Match[]} */
const matches = (task, wanted) => {
  const text = task.blocks.map((block) => block.raw).join("");
  const low = text.toLowerCase();
  const needle = wanted.toLowerCase();
  if (low.length !== text.length) return [];
  const found = [];
  const first = task.blocks[0]?.start ?? 0;
  let points = 0;
  let counted = 0;
  for (let at = low.indexOf(needle); at >= 0 && found.length < 5000; at = low.indexOf(needle, at + Math.max(needle.length, 1))) {
    points += [...text.slice(counted, at)].length;
    counted = at;
    found.push({ start: first + points, end: first + points + [...text.slice(at, at + needle.length)].length });
  }
  return found;
};

/** @param {import("./text.js").TextPane} pane */
export const bindFind = (pane) => {
  const input = /** @type {HTMLInputElement} */ (byId("find-text"));
  /** @type {Match[]} */
  let found = [];
  let at = -1;
  const marks = pane.marks;
  const show = async () => {
    const match = found[at];
    byId("find-say").textContent = input.value ? (found.length ? `${at + 1} of ${found.length}` : "not found") : "";
    if (match) await pane.go(match.start);
    const range = match ? pane.range(match.start, match.end) : null;
    marks?.set("found", new (/** @type {any} */ (globalThis).Highlight)(...(range ? [range] : [])));
  };
  const look = () => {
    found = input.value && parts.task?.view.text ? matches(parts.task, input.value) : [];
    at = found.length ? 0 : -1;
    void show();
  };
  const step = (/** @type {number} */ direction) => {
    if (!found.length) return;
    at = (at + direction + found.length) % found.length;
    void show();
  };
  input.addEventListener("input", look);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      input.value = "";
      look();
    }
  });
  byId("find-back").addEventListener("click", () => step(-1));
  byId("find-on").addEventListener("click", () => step(1));
};
