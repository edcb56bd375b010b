// @ts-check
/* Tasks: texts, units and places of sites, asked for once and kept for the last few tasks. */

import { get } from "./api.js";
import { ShownBlock, boundaries } from "./positions.js";
import { state } from "./state.js";

const KEPT = 8;
/** The server sends a text of so many characters at once; of a longer one, this much around a place. */
const WHOLE = 200_000, AROUND = 40_000;

/** @typedef {object} Task
 * @property {any} view  as the project lists it
 * @property {ShownBlock[]} blocks  those that are here, without a gap
 * @property {number} length
 * @property {any[][]} units  start, end, label, number of its annotator, site
 * @property {string[]} who
 * @property {any[][]} sites  start, end, state, id
 * @property {any} media
 */

/** @type {Map<number, Task>} */
const kept = new Map();

/** The project's entry of a task. @param {number} n */
export const taskView = (n) => state.project.tasks.find((/** @type {any} */ one) => one.n === n);

/** A task with the text around a place. @param {number} n @param {number} start @param {number} end
 * @returns {Promise<Task>} */
export const loadTask = async (n, start, end) => {
  const known = kept.get(n);
  if (known) {
    kept.delete(n);
    kept.set(n, known);
    if (known.view.text) await loadText(known, start, end);
    return known;
  }
  const view = taskView(n);
  const [units, strip, media] = await Promise.all([
    get(`/api/tasks/${n}/units`),
    get(`/api/tasks/${n}/sites`),
    view.media || view.measure === "millisecond" ? get(`/api/tasks/${n}/media`).catch(() => null) : null,
  ]);
  const task = {
    view, media, blocks: [], length: view.length ?? 0, units: units.units, who: units.who, sites: strip.sites,
  };
  if (view.text) await loadText(task, start, end);
  kept.set(n, task);
  if (kept.size > KEPT) kept.delete(/** @type {number} */ (kept.keys().next().value));
  return task;
};

/** @param {Task} task @param {number} start @param {number} end */
export const loadText = async (task, start, end) => {
  const first = task.blocks[0]?.start ?? 0;
  const last = task.blocks.at(-1)?.end ?? 0;
  if (task.blocks.length && start >= first && Math.min(end, start + AROUND) <= last) return;
  const whole = task.length <= WHOLE;
  const low = Math.max(0, start - AROUND);
  const window = whole ? {} : { from: low, to: Math.min(Math.max(end, start) + AROUND, low + WHOLE) };
  const text = await get(`/api/tasks/${task.view.n}/text`, window);
  task.length = text.length;
  task.blocks = text.blocks.map((/** @type {any} */ one) => new ShownBlock(one.start, one.text));
};

/** What another person or this one did to sites: their states have to be asked for again.
 * @param {number} n */
export const renewSites = async (n) => {
  const known = kept.get(n);
  if (known) known.sites = (await get(`/api/tasks/${n}/sites`)).sites;
};

/** A site's state after an event, without asking. @param {string} id @param {string} now */
export const markSite = (id, now) => {
  for (const task of kept.values()) {
    const found = task.sites.find((one) => one[3] === id);
    if (found) found[2] = now;
  }
};

/** Sites were added or went: ask again when they are needed. */
export const forgetTasks = () => kept.clear();

/** The block of a position. @param {Task} task @param {number} position */
export const blockAt = (task, position) => {
  let low = 0;
  let high = task.blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (task.blocks[middle].start <= position) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** The text around a position, of whole blocks. @param {Task} task @param {number} position */
export const pieceAround = (task, position) => {
  const at = blockAt(task, position);
  const blocks = task.blocks.slice(Math.max(0, at - 1), at + 2);
  return { start: blocks[0]?.start ?? 0, text: blocks.map((block) => block.raw).join("") };
};

/** What joins with what stands before it to one character for a reader. */
const JOINING = /[\p{M}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\n\u1100-\u11ff]/u;

/** Whether a boundary stands inside of what a reader takes for one character.
 * @param {Task} task @param {number} position */
export const cutsCharacter = (task, position) => {
  const { start, text } = pieceAround(task, position);
  const points = [...text];
  const at = position - start;
  if (at <= 0 || at >= points.length || !JOINING.test(points[at - 1] + points[at])) return false;
  return !boundaries(text, "grapheme", "start").includes(at);
};

/** What is written from one position to another, as far as it is here.
 * @param {Task} task @param {number} start @param {number} end */
export const quoteOf = (task, start, end) => {
  const parts = [];
  for (let at = blockAt(task, start); at < task.blocks.length && task.blocks[at].start < end; at += 1) {
    const block = task.blocks[at];
    parts.push(block.shown.slice(block.offset(start), block.offset(end)));
    if (parts.join("").length > 400) break;
  }
  const text = parts.join("");
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};
