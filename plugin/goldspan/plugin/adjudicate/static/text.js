// @ts-check
/* Text: a window of a long text between two spacers, with bars under its lines. Each block is one
   text node that is never cut, so letters stay joined; bars and handles are drawn from the
   rectangles of ranges, so wrapped, mixed and right-to-left lines are right. */

import { draw, make } from "./lanes.js";
import { drawBars, readBars, readDraft, rowsOf, writeDraft } from "./bars.js";
import { blockAt, loadText } from "./tasks.js";
import { state } from "./state.js";

/** @typedef {import("./tasks.js").Task} Task */

/** Blocks in the window: what the pane holds, and some on both sides. */
const LEAST_BLOCKS = 5, BEYOND = 3;
/** A block has about so many characters. */
const BLOCK = 500;
const NEAR = 2;
/** A block without any of these runs from left to right; of others the browser is asked, which lays the page out. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export class TextPane {
  /** @param {HTMLElement} box  what scrolls @param {(reading: any[]) => void} chosen */
  constructor(box, chosen) {
    this.box = box;
    this.chosen = chosen;
    this.before = make("div", { class: "spacer" });
    this.page = make("div", { class: "blocks" });
    this.after = make("div", { class: "spacer" });
    this.over = make("div", { class: "over", "aria-hidden": "true" });
    this.bars = draw("svg", { class: "bars" });
    this.drafted = make("div", {});
    this.over.append(this.bars, this.drafted);
    this.window = make("div", { class: "window" });
    this.window.append(this.page, this.over);
    this.sheet = make("div", { class: "sheet" });
    this.sheet.append(this.before, this.window, this.after);
    box.replaceChildren(this.sheet);
    /** @type {Task | null} */
    this.task = null;
    this.first = 0;
    this.last = 0;
    this.whole = false;
    /** @type {Map<number, number>} heights of blocks that were shown */
    this.heights = new Map();
    this.perCharacter = 0.4;
    /** @type {Map<number, DOMRect[]>} where units are, by their number */
    this.rectangles = new Map();
    /** Whether heights and rectangles are those of the blocks that stand there. */
    this.measured = false;
    /** @type {import("./draft.js").Draft | null} the draft that is drawn; null until the place is */
    this.shown = null;
    this.mirrored = false;
    this.rows = rowsOf([], 0);
    /** The pane's size as it was last seen: a key does not measure again. */
    this.width = 0;
    this.height = 0;
    this.pending = 0;
    /** @type {import("./positions.js").ShownBlock[]} */
    this.loaded = [];
    /** The one live range: the browser brings each of them up to date whenever the page changes. */
    this.ruler = document.createRange();
    this.marks = /** @type {any} */ (globalThis).Highlight ? CSS.highlights : null;
    box.addEventListener("scroll", () => this.scrolled(), { passive: true });
    new ResizeObserver(() => this.resized()).observe(box);
  }

  /** Put a place into the window; `draw` draws what is marked there, and `reveal` brings it into view.
   * @param {Task} task @param {number} start */
  show(task, start) {
    const changed = this.task !== task;
    if (changed) {
      this.task = task;
      this.heights.clear();
      this.rows = rowsOf(task.units, task.who.length);
      this.box.style.setProperty("--rows", String(this.rows.count));
    }
    const at = blockAt(task, start);
    if (changed || this.loaded !== task.blocks) this.fillAround(at);
    else if (at < this.first + 1 || at > this.last - 2) this.fillAround(at);
    this.mirrored = this.isMirrored(start);
    this.shown = null;
  }

  /** How many blocks the window has. */
  room() {
    return Math.max(LEAST_BLOCKS, Math.ceil(this.height / (BLOCK * this.perCharacter)) + BEYOND);
  }

  /** Put blocks in place, with this one in the middle. @param {number} at */
  fillAround(at) {
    this.fill(at - (this.room() >> 1));
  }

  /** Put blocks in place, from this one on. @param {number} first */
  fill(first) {
    const { task } = this;
    if (!task) return;
    const count = this.whole ? task.blocks.length : Math.min(this.room(), task.blocks.length);
    this.loaded = task.blocks;
    this.first = Math.max(0, Math.min(first, task.blocks.length - count));
    this.last = this.first + count;
    this.page.replaceChildren(...task.blocks.slice(this.first, this.last).map((block) => {
      const made = make("div", { class: "block", dir: "auto" });
      made.append(document.createTextNode(block.shown));
      return made;
    }));
    this.page.classList.toggle("whole", this.whole);
    this.measured = false;
  }

  /** The heights of the blocks, and of what is not there. Reads the layout; changes nothing. */
  measure() {
    const { task } = this;
    if (!task) return [0, 0];
    let characters = 0;
    let height = 0;
    [...this.page.children].forEach((made, at) => {
      const block = task.blocks[this.first + at];
      const own = /** @type {HTMLElement} */ (made).offsetHeight;
      this.heights.set(block.start, own);
      characters += block.length;
      height += own;
    });
    if (characters) this.perCharacter = height / characters;
    const sum = (/** @type {import("./positions.js").ShownBlock[]} */ blocks) =>
      blocks.reduce((all, one) => all + (this.heights.get(one.start) ?? one.length * this.perCharacter), 0);
    const head = (task.blocks[0]?.start ?? 0) * this.perCharacter;
    const tail = Math.max(0, task.length - (task.blocks.at(-1)?.end ?? 0)) * this.perCharacter;
    return [Math.round(head + sum(task.blocks.slice(0, this.first))), Math.round(tail + sum(task.blocks.slice(this.last)))];
  }

  /** Bring a place into view, a third from the top, unless it is well in view already.
   * @param {number} start @param {number} end */
  reveal(start, end) {
    const found = this.ruled(start, Math.min(end, start + 200))?.getBoundingClientRect();
    if (!found) return;
    const box = this.box.getBoundingClientRect();
    const top = found.top - box.top;
    const room = box.height;
    if (top >= room * 0.1 && top + found.height <= room * 0.75) return;
    this.box.scrollTop += top - room * 0.3;
  }

  /** Bring a boundary into view, unless it is there already. @param {number} position */
  async keepInView(position) {
    const found = this.ruled(position - 1, position + 1)?.getBoundingClientRect();
    const box = this.box.getBoundingClientRect();
    if (!found) await this.go(position);
    else if (found.top < box.top || found.bottom > box.bottom) this.box.scrollTop += found.top - box.top - box.height * 0.3;
  }

  /** Go to a place by hand; nothing is decided. @param {number} position */
  async go(position) {
    const { task } = this;
    if (!task) return;
    await loadText(task, position, position + 1);
    this.fillAround(blockAt(task, position));
    this.draw();
    const found = this.ruled(position, position + 1)?.getBoundingClientRect();
    const box = this.box.getBoundingClientRect();
    if (found) this.box.scrollTop += found.top - box.top - box.height * 0.3;
  }

  scrolled() {
    if (this.pending || !this.task || this.whole) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.follow();
    });
  }

  /** Move the window after the reader. */
  follow() {
    const { task, box } = this;
    if (!task || !task.blocks.length) return;
    const middle = box.getBoundingClientRect().top + box.clientHeight / 2;
    const page = this.page.getBoundingClientRect();
    const shown = [...this.page.children];
    if (middle < page.top || middle > page.bottom) {
      const part = (box.scrollTop + box.clientHeight / 2) / Math.max(this.sheet.offsetHeight, 1);
      void this.go(Math.min(Math.floor(part * task.length), Math.max(task.length - 1, 0)));
      return;
    }
    const at = shown.findIndex((one) => one.getBoundingClientRect().bottom > middle);
    if ((at < NEAR && this.first > 0) || (at >= shown.length - NEAR && this.last < task.blocks.length)) {
      const anchor = this.first + at;
      const was = shown[at].getBoundingClientRect().top;
      this.fillAround(anchor);
      this.draw();
      const now = this.page.children[anchor - this.first].getBoundingClientRect().top;
      box.scrollTop += now - was;
    }
  }

  resized() {
    this.height = this.box.clientHeight;
    if (!this.task || this.width === this.box.clientWidth) return;
    this.width = this.box.clientWidth;
    this.heights.clear();
    this.measured = false;
    this.draw();
    if (state.site) this.reveal(state.site.start, state.site.end);
  }

  /** Where a position is; null outside the window. @param {number} position @param {boolean} [after]
   * @returns {[Text, number] | null} */
  locate(position, after = false) {
    const { task } = this;
    if (!task || !task.blocks.length) return null;
    let at = blockAt(task, position);
    if (after && at > this.first && task.blocks[at].start === position) at -= 1;
    if (at < this.first || at >= this.last) return null;
    const node = this.page.children[at - this.first]?.firstChild;
    return node ? [/** @type {Text} */ (node), task.blocks[at].offset(position)] : null;
  }

  /** Where the part of a span that is in the window begins and ends.
   * @param {number} start @param {number} end @returns {[[Text, number], [Text, number]] | null} */
  ends(start, end) {
    const { task } = this;
    const low = task?.blocks[this.first]?.start;
    const high = task?.blocks[this.last - 1]?.end;
    if (low === undefined || high === undefined || start >= high || end <= low) return null;
    const from = this.locate(Math.max(start, low));
    const to = this.locate(Math.min(end, high), true);
    return from && to ? [from, to] : null;
  }

  /** The part of a span that is in the window, to be tinted. @param {number} start @param {number} end */
  range(start, end) {
    const ends = this.ends(start, end);
    if (!ends) return null;
    const [[startContainer, startOffset], [endContainer, endOffset]] = ends;
    return new StaticRange({ startContainer, startOffset, endContainer, endOffset });
  }

  /** A range to measure a span with; the next call takes it away.
   * @param {number} start @param {number} end */
  ruled(start, end) {
    const ends = this.ends(start, end);
    if (!ends) return null;
    this.ruler.setStart(...ends[0]);
    this.ruler.setEnd(...ends[1]);
    return this.ruler;
  }

  /** The rectangles of a span on the screen. @param {number} start @param {number} end @returns {DOMRect[]} */
  rects(start, end) {
    return [...(this.ruled(start, end)?.getClientRects() ?? [])];
  }

  /** The position of a place in the document. @param {Node | null} node @param {number} offset @returns {number | null} */
  position(node, offset) {
    const block = node?.nodeType === Node.TEXT_NODE ? node.parentElement : /** @type {Element | null} */ (node);
    const at = block ? [...this.page.children].indexOf(block) : -1;
    if (at < 0 || !this.task) return null;
    const own = this.task.blocks[this.first + at];
    return node?.nodeType === Node.TEXT_NODE ? own.position(offset) : own.start + (offset ? own.length : 0);
  }

  /** The position at a point of the screen. @param {number} x @param {number} y @returns {number | null} */
  positionAt(x, y) {
    const page = /** @type {any} */ (document);
    if (page.caretPositionFromPoint) {
      const found = page.caretPositionFromPoint(x, y);
      return found ? this.position(found.offsetNode, found.offset) : null;
    }
    const found = page.caretRangeFromPoint?.(x, y);
    return found ? this.position(found.startContainer, found.startOffset) : null;
  }

  /** Whether the block of a position runs from right to left. @param {number} position */
  isMirrored(position) {
    const found = this.locate(position)?.[0];
    return found?.parentElement && RIGHT_TO_LEFT.test(found.data)
      ? getComputedStyle(found.parentElement).direction === "rtl" : false;
  }

  /** Spacers, bars and draft: all that is read from the layout first, then all that changes it. */
  draw() {
    const spacers = this.measured ? null : this.measure();
    if (!this.measured) readBars(this);
    const read = readDraft(this);
    this.measured = true;
    this.shown = state.draft;
    if (spacers) [this.before, this.after].forEach((one, at) => {
      one.style.height = `${spacers[at]}px`;
    });
    drawBars(this);
    writeDraft(this, read);
  }

  /** The draft alone, if another one is drawn. */
  drawDraft() {
    if (!this.task || !this.shown || this.shown === state.draft) return;
    this.shown = state.draft;
    writeDraft(this, readDraft(this));
  }
}
