// @ts-check
/* Selecting: text that is selected can become a span; handles move the ends of one. A click on text
   decides nothing. */

import { parts } from "./actions.js";
import { current, rebound } from "./draft.js";
import { setEdge } from "./editing.js";
import { byId, say } from "./messages.js";
import { boundaries } from "./positions.js";
import { setDraft, state } from "./state.js";
import { pieceAround } from "./tasks.js";

/** Where the caret is, if nothing is selected. @param {import("./text.js").TextPane} pane */
export const caretOf = (pane) => {
  const selection = getSelection();
  return selection && selection.isCollapsed ? pane.position(selection.anchorNode, selection.anchorOffset) : null;
};

/** @param {import("./text.js").TextPane} pane */
const readSelection = (pane) => {
  const selection = getSelection();
  const bar = byId("selection");
  if (!selection || selection.isCollapsed || !selection.rangeCount || !pane.box.contains(selection.anchorNode)) {
    if (parts.task?.view.text) {
      state.selection = null;
      bar.hidden = true;
    }
    return;
  }
  const range = selection.getRangeAt(0);
  const start = pane.position(range.startContainer, range.startOffset);
  const end = pane.position(range.endContainer, range.endOffset);
  state.selection = start !== null && end !== null && start < end ? [start, end] : null;
  bar.hidden = state.selection === null;
};

const useSelection = () => {
  const { selection } = state;
  if (!selection) return;
  const [start, end] = selection;
  const made = rebound(state.draft, start, end);
  if (made) setDraft(made);
  else say("There is no span to move: choose a reading, or add the selection.");
  getSelection()?.removeAllRanges();
  state.selection = null;
  byId("selection").hidden = true;
};

/** The nearest place between graphemes. @param {number} position */
const snap = (position) => {
  const piece = pieceAround(parts.task, position);
  const places = boundaries(piece.text, "grapheme", "start").map((one) => one + piece.start);
  return places.reduce((best, one) => (Math.abs(one - position) < Math.abs(best - position) ? one : best), places[0] ?? position);
};

/** @param {import("./text.js").TextPane} pane */
export const bindSelecting = (pane) => {
  document.addEventListener("selectionchange", () => readSelection(pane));
  byId("selection-use").addEventListener("click", useSelection);
  pane.box.addEventListener("pointerdown", (event) => {
    const handle = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".handle"));
    const edge = /** @type {"start" | "end" | undefined} */ (handle?.dataset.edge);
    if (!edge) return;
    event.preventDefault();
    pane.box.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ moved) => {
      const found = pane.positionAt(moved.clientX, moved.clientY);
      if (found === null) return;
      const place = snap(found);
      const span = current(state.draft);
      if (span && place !== (edge === "start" ? span[0] : span[1])) setEdge(edge, place);
    };
    const end = () => {
      pane.box.removeEventListener("pointermove", move);
      pane.box.removeEventListener("pointerup", end);
      pane.box.removeEventListener("pointercancel", end);
    };
    pane.box.addEventListener("pointermove", move);
    pane.box.addEventListener("pointerup", end);
    pane.box.addEventListener("pointercancel", end);
  });
  pane.box.addEventListener("keydown", (event) => caretKey(pane, event));
};

/** Arrows move the caret in the text, with Shift they select; Tab takes the next span under it.
 * @param {import("./text.js").TextPane} pane @param {KeyboardEvent} event */
const caretKey = (pane, event) => {
  /** @type {Record<string, [string, string]>} */
  const moves = {
    ArrowRight: ["right", "character"], ArrowLeft: ["left", "character"], ArrowDown: ["forward", "line"], ArrowUp: ["backward", "line"],
  };
  const move = moves[event.key];
  const selection = getSelection();
  if (!move || !selection || event.altKey || event.metaKey) return;
  if (!pane.box.contains(selection.anchorNode)) {
    const from = pane.locate(current(state.draft)?.[0] ?? state.site?.start ?? 0);
    if (!from) return;
    selection.collapse(from[0], from[1]);
  }
  event.preventDefault();
  const by = event.ctrlKey && move[1] === "character" ? "word" : move[1];
  /** @type {any} */ (selection).modify(event.shiftKey ? "extend" : "move", move[0], by);
  const node = selection.focusNode;
  if (node && pane.box.contains(node)) {
    const range = document.createRange();
    range.setStart(node, selection.focusOffset);
    const rect = range.getClientRects()[0];
    const box = pane.box.getBoundingClientRect();
    if (rect && rect.bottom > box.bottom) pane.box.scrollTop += rect.bottom - box.bottom + 30;
    else if (rect && rect.top < box.top) pane.box.scrollTop -= box.top - rect.top + 30;
  }
};

