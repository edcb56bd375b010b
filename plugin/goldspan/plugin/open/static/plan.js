// @ts-check
/* Plan: how many more tasks or annotators would narrow the intervals, computed when it is asked for. */
import { post, Refused } from "./api.js";
import { make, one } from "./elements.js";

/** @param {string} text */
const say = (text) => { one("#plan-said").textContent = text; };

/** @param {"none" | "waiting" | "done" | "refused"} stage */
const mark = (stage) => { document.body.dataset.plan = stage; };

/** A table, its head first. @param {string[][]} rows */
const drawn = ([head, ...rows]) => {
  const table = make("table", { class: "costs" });
  const top = make("tr");
  top.append(...head.map((name) => make("th", { scope: "col" }, name)));
  table.append(top, ...rows.map(([name, ...cells]) => {
    const line = make("tr");
    line.append(make("th", { scope: "row" }, name), ...cells.map((cell) => make("td", {}, cell)));
    return line;
  }));
  const scroll = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": head[0] });
  scroll.append(table);
  return scroll;
};

/** The plan for the settings of the page; it is forgotten when they change. */
export class PlanView {
  /** @param {() => any} state @param {string} tab */
  constructor(state, tab) {
    this.state = state;
    this.tab = tab;
    /** @type {AbortController | null} */
    this.running = null;
    one("#plan-form").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.ask();
    });
  }

  /** Figures are being measured. */
  wait() {
    this.running?.abort();
    this.running = null;
    mark("none");
    say("");
    one("#plan-go").disabled = true;
    one("#plan-shown").hidden = true;
  }

  /** The figures are there. */
  ready() {
    one("#plan-go").disabled = false;
  }

  async ask() {
    this.wait();
    const own = new AbortController();
    this.running = own;
    mark("waiting");
    say("Planning …");
    try {
      const asked = { state: this.state(), tab: this.tab, half_width: Number(one("#plan-width").value), more: Number(one("#plan-more").value) };
      const answer = await post("/api/plan", asked, own.signal);
      if (this.running !== own) return;
      one("#plan-tables").replaceChildren(...answer.tables.map(drawn));
      one("#plan-remarks").replaceChildren(...answer.remarks.map((/** @type {string} */ remark) => make("li", {}, remark)));
      one("#plan-command").textContent = answer.command;
      one("#plan-shown").hidden = false;
      say("");
      mark("done");
    } catch (error) {
      if (this.running !== own) return;
      const isOld = error instanceof Refused && error.error === "superseded";
      say(isOld || !(error instanceof Error) ? "" : error.message);
      mark(isOld ? "none" : "refused");
    }
    this.ready();
  }
}
