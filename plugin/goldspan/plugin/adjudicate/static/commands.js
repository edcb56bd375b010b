// @ts-check
/* Commands: everything that a key or a button can do, with the key as it is delivered. */

import { accept, reopen, skip, step, take, undo } from "./actions.js";
import { openBatch } from "./batch.js";
import { openDialog } from "./dialogs.js";
import { firstDraft } from "./draft.js";
import { addSelected, cut, joinNext, moveEdge } from "./editing.js";
import { byId, say } from "./messages.js";
import { openNote, writeNow } from "./notes.js";
import { caretOf } from "./selecting.js";
import { emit, setDraft, state } from "./state.js";

/** @typedef {import("./keys.js").Command} Command */

/** Steps are by word where Shift is held or the box is ticked. @param {boolean} large */
const byWord = (large) => large !== /** @type {HTMLInputElement} */ (byId("by-word")).checked;

export const discard = () => {
  if (!state.site || state.draft.choice !== "own") return;
  state.restored = false;
  setDraft(firstDraft(state.site));
  say("The draft is discarded.");
};

const names = () => {
  if (state.project.blind) {
    say("Names are hidden by the server and cannot be shown here.");
    return;
  }
  state.hideNames = !state.hideNames;
  emit("names");
  say(state.hideNames ? "Names are hidden." : "Names are shown.");
};

/** @param {{ text: import("./text.js").TextPane, media: import("./media.js").MediaPane, labels: import("./labels.js").LabelChooser,
 *   help: () => void, whole: () => void, look: () => void }} page @returns {Command[]} */
export const commands = (page) => [
  { name: "accept", key: "a", say: "accept what is chosen", decides: true, run: accept },
  { name: "drop", key: "d", say: "nothing belongs here (x too)", decides: true, run: () => take("drop") },
  { name: "skip", key: "s", say: "skip; it comes back at the end", decides: true, run: skip },
  { name: "undo", key: "z", say: "undo", run: () => undo(false) },
  { name: "redo", key: "shift+z", say: "do again what was undone", run: () => undo(true) },
  { name: "start-earlier", key: "q", say: "start earlier", large: true, run: (large) => moveEdge("start", -1, byWord(large)) },
  { name: "start-later", key: "w", say: "start later", large: true, run: (large) => moveEdge("start", 1, byWord(large)) },
  { name: "end-earlier", key: "e", say: "end earlier", large: true, run: (large) => moveEdge("end", -1, byWord(large)) },
  { name: "end-later", key: "r", say: "end later", large: true, run: (large) => moveEdge("end", 1, byWord(large)) },
  { name: "label", key: "l", say: "choose a label", run: () => page.labels.open() },
  { name: "cut", key: "c", say: "split at the caret or where somebody cut", run: () => cut(caretOf(page.text)) },
  { name: "join", key: "v", say: "join with the next span", run: joinNext },
  { name: "add", key: "i", say: "add what is selected as a span", run: addSelected },
  { name: "note", key: "n", say: "write a note for the guideline", run: openNote },
  { name: "group", key: "g", say: "accept all that are alike", run: () => openBatch(state.site?.group ?? "") },
  { name: "next", key: "j", say: "next site", run: () => step(1) },
  { name: "previous", key: "k", say: "previous site", run: () => step(-1) },
  { name: "whole", key: "f", say: "the whole text at once, or a window of it", run: page.whole },
  { name: "names", key: "b", say: "annotators’ names on or off", run: names },
  { name: "play", key: "space", say: "play the span, or stop", media: true, run: () => page.media.playSpan(0) },
  { name: "around", key: "p", say: "play from 2 s before to 2 s after", media: true, run: () => page.media.playAround() },
  { name: "loop", key: "o", say: "loop on or off", media: true, run: () => page.media.toggleLoop() },
  { name: "video", key: "h", say: "video on or off", media: true, run: () => page.media.toggleVideo() },
  { name: "help", key: "?", say: "help and keys", run: () => {
    page.help();
    openDialog("dialog-help");
  } },
  { name: "reopen", key: "", say: "open this again", run: reopen },
  { name: "discard", key: "", say: "discard the draft", run: discard },
  { name: "write", key: "", say: "write the output as it is now", run: writeNow },
  { name: "look", key: "", say: "show all sites, also those on which all agree", run: page.look },
];
