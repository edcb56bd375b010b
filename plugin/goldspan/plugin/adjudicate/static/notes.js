// @ts-check
/* Notes: remarks on a site for the next guideline, and what was written. */

import { get, post } from "./api.js";
import { make } from "./lanes.js";
import { fail, parts, send, showSite } from "./actions.js";
import { closeDialog, openDialog } from "./dialogs.js";
import { byId, say } from "./messages.js";
import { setDraft, state } from "./state.js";
import { day, short } from "./words.js";

const TAGS = ["guideline", "hard case", "ask", "error in the data"];
const DRAFT = "goldspan.note";

export const openNote = () => {
  const { site } = state;
  if (!site) return;
  const text = /** @type {HTMLTextAreaElement} */ (byId("note-text"));
  const kept = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
  text.value = kept?.site === site.id ? kept.text : "";
  byId("note-tags").replaceChildren(make("legend", {}, "Tags"), ...TAGS.map((tag, at) => {
    const label = make("label", { class: "check" });
    label.append(make("input", { type: "checkbox", value: tag, id: `note-tag-${at}` }), ` ${tag}`);
    return label;
  }));
  byId("note-earlier").replaceChildren(...site.notes.map((/** @type {any} */ one) => {
    const line = make("p", { class: "earlier" });
    line.append(make("bdi", {}, short(one.note, 400)), make("span", { class: "soft" }, ` ${one.by}, ${day(one.when)} ${one.tags.join(", ")}`));
    return line;
  }));
  byId("note-say").textContent = "";
  openDialog("dialog-note");
  text.focus();
};

const save = async () => {
  const { site } = state;
  const text = /** @type {HTMLTextAreaElement} */ (byId("note-text")).value.trim();
  const tags = [...byId("note-tags").querySelectorAll("input:checked")].map((one) => /** @type {HTMLInputElement} */ (one).value);
  if (!site || (!text && !tags.length)) {
    byId("note-say").textContent = "Write something, or tick a tag.";
    return;
  }
  const reply = await send({ op: "note", site: site.id, note: text, tags, base: site.base, via: state.via });
  if (!reply) {
    byId("note-say").textContent = byId("alert").textContent;
    return;
  }
  sessionStorage.removeItem(DRAFT);
  closeDialog("dialog-note");
  try {
    const kept = state.draft;
    const since = state.shownAt;
    await showSite(await get(`/api/sites/${site.id}`), state.via);
    state.shownAt = since;
    setDraft(kept);
  } catch (error) {
    fail(error);
  }
  void parts.queue?.renew();
  say("Note saved.");
};

export const bindNotes = () => {
  const text = /** @type {HTMLTextAreaElement} */ (byId("note-text"));
  text.addEventListener("input", () =>
    sessionStorage.setItem(DRAFT, JSON.stringify({ site: state.site?.id, text: text.value })));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
  });
  byId("note-save").addEventListener("click", () => void save());
};

/** Write the output as it is now. */
export const writeNow = async () => {
  say("Writing…");
  try {
    const done = await post("/api/write", {});
    const lines = [
      `${done.settled.toLocaleString("en")} spans settled, ${done.suggested.toLocaleString("en")} suggested, ${done.contested.toLocaleString("en")} contested.`,
      `Output: ${done.output}`,
      done.sidecar ? `Where each span comes from: ${done.sidecar}` : "",
      done.hard_cases ? `Hard cases: ${done.hard_cases}` : "",
      ...done.notes,
    ];
    byId("written").replaceChildren(...lines.filter(Boolean).map((line) => make("p", {}, line)));
    openDialog("dialog-written");
    say("Written.");
  } catch (error) {
    say("");
    fail(error);
  }
};
