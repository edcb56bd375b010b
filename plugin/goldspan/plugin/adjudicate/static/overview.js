// @ts-check
/* Overview: who works, how far it is, when to stop, and what the server says of other people's work. */

import { forgetView, forgetViews } from "./ahead.js";
import { Gone, get } from "./api.js";
import { openSite, parts, showSite } from "./actions.js";
import { alarm, byId, put, say } from "./messages.js";
import { emit, setDraft, state } from "./state.js";
import { forgetTasks, markSite } from "./tasks.js";
import { time } from "./words.js";

const WAIT_SECONDS = 25;

/** @param {number} number @param {string} word */
const counted = (number, word) => (number ? `${number.toLocaleString("en")} ${word}` : "");

/** Whether everything is stored. */
export const showSaving = () => {
  const { saved } = state.project.progress;
  put("saved", state.gone ? "not saved" : state.busy ? "saving…" : saved ? `saved ${time(saved)} ✓` : "");
  const box = byId("saved");
  box.dataset.storing = String(state.busy);
  box.classList.toggle("wrong", state.gone);
  document.body.classList.toggle("waiting", state.gone);
};

export const showProgress = () => {
  const { progress, stop, name, warning, notes } = state.project;
  put("adjudicator", name);
  const counts = [
    `${progress.settled.toLocaleString("en")} settled`, counted(progress.skipped, "skipped"), counted(progress.contested, "contested"),
    counted(progress.reopened, "reopened"), `${(progress.open + progress.reopened).toLocaleString("en")} open`,
  ].filter(Boolean).join(" · ");
  put("progress", counts);
  put("queue-progress", counts);
  put("stop", stop.say);
  byId("stop").dataset.state = stop.state;
  showSaving();
  put("done-stop", stop.say);
  const audits = stop.audits ? `${stop.audits} random checks found ${stop.audit_errors} wrong (${stop.audit_expected.toFixed(1)} expected).` : "";
  const missed = Math.round(stop.unseen);
  const unseen = missed ? `About ${missed === 1 ? "one span" : `${missed.toLocaleString("en")} spans`} may be marked by nobody; reading some texts in full would tell.` : "";
  const both = progress.agreement ? `Adjudicators agree on ${progress.agreement.equal} of ${progress.agreement.shared} places that both settled.` : "";
  put("done-say", [audits, unseen, both, warning, ...notes].filter(Boolean).join(" "));
  const title = [audits, unseen, both].filter(Boolean).join(" ");
  if (byId("stop").title !== title) byId("stop").title = title;
};

/** What others do, as it happens. */
export const followChanges = async () => {
  for (;;) {
    try {
      const news = await get("/api/changes", { since: state.project.revision, wait: WAIT_SECONDS });
      if (byId("alert").dataset.from === "changes") {
        alarm("");
        delete byId("alert").dataset.from;
      }
      await takeNews(news);
    } catch (error) {
      if (!(error instanceof Gone)) {
        alarm(error instanceof Error ? error.message : String(error));
        byId("alert").dataset.from = "changes";
      } else if (!state.busy) {
        alarm("The server does not answer. Nothing is lost; trying again.");
        byId("alert").dataset.from = "changes";
      }
      await new Promise((done) => setTimeout(done, 1500));
    }
  }
};

/** @param {any} news */
const takeNews = async (news) => {
  if (news.revision === state.project.revision && !news.all) return;
  // The answer to our own event says the same, and may come later than this.
  while (state.busy) await new Promise((done) => setTimeout(done, 50));
  if (news.revision <= state.project.revision && !news.all) return;
  const others = news.by.filter((/** @type {string} */ name) => name !== state.project.name);
  const known = news.revision <= state.project.revision;
  Object.assign(state.project, { revision: news.revision, progress: news.progress, stop: news.stop });
  emit("progress");
  if (known && !news.all) return;
  if (news.all) {
    forgetTasks();
    forgetViews();
  }
  for (const id of news.sites) forgetView(id);
  for (const id of news.sites) if (id !== state.site?.id) markSite(id, "settled");
  await parts.queue?.renew();
  const here = state.site && (news.all || news.sites.includes(state.site.id));
  if (here && !state.busy) {
    const kept = state.draft;
    await openSite(state.site.id, state.via);
    if (kept.choice === "own") setDraft(kept);
    say(others.length ? `${others.join(", ")} changed this a moment ago.` : "This was changed in another tab.");
  } else if (!state.site && parts.queue?.items.length) await showSite(null);
};
