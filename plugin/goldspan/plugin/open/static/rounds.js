// @ts-check
/* Rounds: the figures beside those of a later round, which is read and measured in the same way. */
import { nextTurn, post, Refused, remove } from "./api.js";
import { sendFiles } from "./dropping.js";
import { make, one } from "./elements.js";
import { readAnswers, showQuestions } from "./questions.js";

const MOST_LABELS = 24;

/** @param {number | null} value */
const number = (value) => (value === null ? "–" : value.toFixed(3).replace("-", "−"));

/** @param {number} n @param {string} noun */
const count = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

/** @param {string} text */
const say = (text) => { one("#rounds-said").textContent = text; };

/** @param {"none" | "waiting" | "asked" | "done" | "refused"} stage */
const mark = (stage) => { document.body.dataset.rounds = stage; };

/** @param {any} change */
const row = (change) => {
  const line = make("tr", { "data-change": `${change.coefficient} ${change.label ?? ""}`.trim() });
  const { old, new: now, difference, low, high, method, reason } = change;
  line.append(make("th", { scope: "row" }, `${change.coefficient} ${change.label ?? ""}`));
  for (const value of [old, now]) line.append(make("td", { "data-value": String(value) }, number(value)));
  line.append(
    make("td", { "data-value": String(difference) }, `${difference > 0 ? "+" : ""}${number(difference)}`),
    make("td", {}, low === null ? "–" : `${number(low)} to ${number(high)}`),
  );
  const verdict = make("td", {}, `${change.verdict} `);
  verdict.append(make("span", { class: "soft" }, reason ? `(${reason})` : `(${method}: ${count(change.n_tasks, "task")})`));
  line.append(verdict);
  return line;
};

/** @param {any} comparison */
const draw = (comparison) => {
  const step = comparison.steps.at(-1);
  const head = make("tr");
  for (const name of ["figure", step.from, step.to, "difference", "its interval", "what this says"]) head.append(make("th", { scope: "col" }, name));
  const whole = step.changes.filter((/** @type {any} */ change) => !change.label);
  const labels = step.changes.filter((/** @type {any} */ change) => change.label);
  one("#rounds").replaceChildren(head, ...[...whole, ...labels.slice(0, MOST_LABELS)].map(row));
  const more = labels.length > MOST_LABELS ? ` ${count(labels.length - MOST_LABELS, "more label figure")} in the whole comparison.` : "";
  say(`${count(step.n_shared_tasks, "shared task")}, ${step.n_untouched_tasks} of them unchanged.${more}`);
  one("#rounds-remarks").replaceChildren(...step.remarks.map((/** @type {string} */ remark) => make("li", {}, remark)));
};

/** The comparison with a later round, as long as there is one. */
export class RoundsView {
  /** @param {() => any} state @param {string} tab */
  constructor(state, tab) {
    this.state = state;
    this.tab = tab;
    this.later = "";
    /** What the later round's files leave open; null if they are read with the answers of the others. @type {Record<string, string> | null} */
    this.answers = null;
    this.isReady = false;
    /** @type {AbortController | null} */
    this.running = null;
    one("#rounds-close").addEventListener("click", () => this.close());
    one("#rounds-questions").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.answers = { ...this.asked(), ...readAnswers(one("#rounds-fields")) };
      this.compare();
    });
  }

  /** Figures are being measured; the comparison follows them. */
  wait() {
    this.isReady = false;
    this.running?.abort();
    if (!this.later) return;
    mark("waiting");
    say("The comparison follows the figures.");
  }

  /** The figures are there. */
  follow() {
    this.isReady = true;
    if (this.later) this.compare();
  }

  /** Send the files of the later round. @param {import("./dropping.js").Named[]} files */
  async take(files) {
    if (!files.length) return;
    await this.close();
    one("#rounds-box").hidden = false;
    one("#rounds-box").scrollIntoView({ block: "nearest" });
    mark("waiting");
    const own = this.start();
    try {
      say(`0 of ${files.length} files …`);
      const later = await sendFiles(files, (sent) => say(`${sent} of ${files.length} files …`));
      if (this.running !== own) {
        await remove(later);
        return;
      }
      this.later = later;
      if (this.isReady) await this.compare();
      else this.wait();
    } catch (error) {
      this.complain(error, own);
    }
  }

  /** The answers that the later round is read with. */
  asked() {
    return this.answers ?? this.state().answers;
  }

  async compare() {
    const own = this.start();
    mark("waiting");
    say("Comparing …");
    try {
      const later = { ...this.state(), data: this.later, answers: this.asked() };
      const opened = await post("/api/read", { state: later }, own.signal);
      if (this.running !== own) return;
      one("#rounds-questions").hidden = !opened.questions;
      if (opened.questions) {
        one("#rounds-shown").hidden = true;
        showQuestions(one("#rounds-fields"), opened.questions, this.asked());
        say(opened.say);
        mark("asked");
        return;
      }
      const answer = await post("/api/rounds", { state: this.state(), later: this.later, answers: this.asked(), tab: this.tab, turn: nextTurn() }, own.signal);
      if (this.running !== own) return;
      draw(answer.comparison);
      one("#rounds-page").href = `/api/media/rounds/${answer.report}`;
      one("#rounds-shown").hidden = false;
      mark("done");
    } catch (error) {
      this.complain(error, own);
    }
  }

  /** End the comparison; the files of the later round are deleted. */
  async close() {
    this.running?.abort();
    this.running = null;
    const { later } = this;
    this.later = "";
    this.answers = null;
    mark("none");
    say("");
    one("#rounds-box").hidden = one("#rounds-shown").hidden = one("#rounds-questions").hidden = true;
    if (later) await remove(later).catch(() => {}); // gone already
  }

  start() {
    this.running?.abort();
    this.running = new AbortController();
    return this.running;
  }

  /** @param {unknown} error @param {AbortController} own */
  complain(error, own) {
    if (this.running !== own || (error instanceof Refused && error.error === "superseded")) return;
    if (error instanceof DOMException && error.name === "AbortError") return;
    one("#rounds-shown").hidden = true;
    say(error instanceof Error ? error.message : String(error));
    mark("refused");
  }
}
