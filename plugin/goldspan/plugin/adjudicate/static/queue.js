// @ts-check
/* Queue: the sites to decide, most valuable first. Only the rows in view exist. */

import { get } from "./api.js";
import { make } from "./lanes.js";
import { fail, openSite } from "./actions.js";
import { arrange, byId, put } from "./messages.js";
import { emit, keepPlace, state } from "./state.js";
import { STATES, exactClock, figure, short } from "./words.js";

const ROW = 40, OVER = 6, CHUNK = 60, MOST = 500;

export class QueueList {
  constructor() {
    this.box = byId("queue");
    this.sheet = make("div", { class: "rows", role: "presentation" });
    this.box.replaceChildren(this.sheet);
    /** @type {any[]} */
    this.items = [];
    /** @type {Map<string, { row: HTMLElement, item: any, said: string }>} the rows that exist, by site */
    this.rows = new Map();
    /** What is in view, as it was last seen: a key does not measure again. */
    this.top = 0;
    this.height = 0;
    this.total = 0;
    this.active = 0;
    this.loading = false;
    /** An answer to an older question is not taken. */
    this.turn = 0;
    this.asked = 0;
    /** The site whose answer is being stored. */
    this.storing = "";
    /** @type {Promise<void>} */
    this.newest = Promise.resolve();
    this.box.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => {
      this.height = this.box.clientHeight;
      this.render();
    }).observe(this.box);
  }

  /** Ask for the beginning again; done when the newest answer is there. */
  renew() {
    clearTimeout(this.later);
    set(this.box, { "aria-busy": "true" });
    this.asked += 1;
    this.newest = this.ask(this.asked);
    return this.newest;
  }

  /** @param {number} asked  how often it was asked, this time included */
  async ask(asked) {
    this.turn += 1;
    const own = this.turn;
    try {
      const limit = Math.min(Math.max(CHUNK, this.items.length), MOST);
      const found = await get("/api/queue", { ...state.query, limit });
      if (own !== this.turn) {
        if (asked !== this.asked) await this.newest;
        return;
      }
      this.items = [...found.items];
      this.total = found.total;
      this.render();
      set(this.box, { "aria-busy": "false" });
      emit("queue");
    } catch (error) {
      if (own === this.turn) set(this.box, { "aria-busy": "false" });
      fail(error);
    }
  }

  /** @param {number} count  as many rows are needed */
  async more(count) {
    if (this.loading || this.items.length >= this.total) return;
    this.loading = true;
    try {
      while (this.items.length < Math.min(count, this.total)) {
        const after = this.items.at(-1)?.id ?? "";
        const found = await get("/api/queue", { ...state.query, after, limit: MOST });
        if (!found.items.length) break;
        const known = new Set(this.items.map((one) => one.id));
        this.items.push(...found.items.filter((/** @type {any} */ one) => !known.has(one.id)));
        this.total = found.total;
      }
    } catch (error) {
      fail(error);
    } finally {
      this.loading = false;
    }
    this.render();
  }

  /** The site after or before one. @param {string} id @param {number} direction @returns {string} */
  following(id, direction) {
    const at = this.items.findIndex((one) => one.id === id);
    if (at < 0) return direction > 0 ? this.items.find((one) => one.id !== id)?.id ?? "" : "";
    return this.items[at + direction]?.id ?? "";
  }

  /** An answer is under way; it is shown as done when it is stored. @param {string} id  empty: none is */
  store(id) {
    const before = this.rows.get(this.storing || id);
    this.storing = id;
    before?.row.querySelector(".mark")?.replaceWith(this.mark(this.items.find((one) => one.id === before.row.dataset.id)));
  }

  /** A site was answered: it leaves the list of what is to decide, or changes its mark.
   * @param {string} id @param {string} now */
  answered(id, now) {
    const at = this.items.findIndex((one) => one.id === id);
    if (at >= 0) {
      const [item] = this.items.splice(at, 1);
      if (state.query.state === "all") this.items.splice(at, 0, { ...item, state: now });
      else if (now === "skipped" && !state.query.state && this.items.length >= this.total - 1) this.items.push({ ...item, state: now });
      else if (now !== "skipped" || state.query.state) this.total -= 1;
    }
    this.render();
    this.turn += 1;
    clearTimeout(this.later);
    set(this.box, { "aria-busy": "true" });
    this.later = setTimeout(() => void this.renew(), 400);
  }

  scrolled() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.top = this.box.scrollTop;
      this.render();
    });
  }

  /** @param {number} top */
  scrollTo(top) {
    this.top = Math.max(0, Math.min(top, this.total * ROW - this.height));
    this.box.scrollTop = this.top;
  }

  /** @param {MouseEvent} event */
  click(event) {
    const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[role=option]"));
    if (row) this.open(Number(row.dataset.at));
  }

  /** @param {number} at */
  open(at) {
    const item = this.items[at];
    if (!item) return;
    this.active = at;
    document.body.classList.remove("queue-shown");
    byId("queue-open").setAttribute("aria-expanded", "false");
    void openSite(item.id, state.query.state || at > 0 ? "browse" : "");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(1, Math.floor(this.height / ROW) - 1);
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.open(this.active);
    } else if (event.key in moves) {
      event.preventDefault();
      this.active = Math.min(Math.max(this.active + moves[event.key], 0), this.items.length - 1);
      const top = this.active * ROW;
      if (top < this.top) this.scrollTo(top);
      else if (top + ROW > this.top + this.height) this.scrollTo(top + ROW - this.height);
      this.render();
      /** @type {HTMLElement | null} */ (this.sheet.querySelector(`[data-at="${this.active}"]`))?.focus({ preventScroll: true });
    }
  }

  /** The row of the site on the screen, brought into view. */
  follow() {
    const at = this.items.findIndex((one) => one.id === state.site?.id);
    if (at >= 0) {
      this.active = at;
      const top = at * ROW;
      if (top < this.top || top + ROW > this.top + this.height) this.scrollTo(top - this.height / 3);
    }
    this.render();
  }

  render() {
    const first = Math.max(0, Math.floor(this.top / ROW) - OVER);
    const last = Math.ceil((this.top + this.height) / ROW) + OVER;
    if (last > this.items.length && this.items.length < this.total) void this.more(last);
    this.active = Math.min(Math.max(this.active, 0), Math.max(this.items.length - 1, 0));
    this.sheet.style.height = `${this.total * ROW}px`;
    const focused = this.sheet.contains(document.activeElement);
    this.place(this.items.slice(first, last), first);
    if (focused) /** @type {HTMLElement | null} */ (this.sheet.querySelector("[tabindex='0']"))?.focus({ preventScroll: true });
    put("queue-total", `(${this.total.toLocaleString("en")})`);
    set(this.box, { tabindex: this.items.length ? "-1" : "0" });
  }

  /** Put the rows of these items in their places; those that stand there already are kept.
   * @param {any[]} items @param {number} first */
  place(items, first) {
    const before = this.rows;
    this.rows = new Map();
    for (const item of items) {
      const known = before.get(item.id);
      const said = known?.item === item ? known.said : JSON.stringify(item);
      this.rows.set(item.id, { row: known?.said === said ? known.row : this.row(item), item, said });
    }
    [...this.rows].forEach(([id, { row }], place) => {
      const at = first + place;
      set(row, {
        "aria-selected": String(id === state.site?.id), "aria-setsize": String(this.total), "aria-posinset": String(at + 1),
        "data-at": String(at), tabindex: at === this.active ? "0" : "-1",
      });
      row.style.top = `${at * ROW}px`;
    });
    arrange(this.sheet, [...this.rows.values()].map((one) => one.row));
  }

  /** The sign of a row's state. @param {any} item */
  mark(item) {
    const [mark, word] = item?.id === this.storing ? ["…", "being stored"] : STATES[item?.state] ?? ["", item?.state ?? ""];
    return make("span", { class: "mark", title: word }, item?.noted ? `${mark}✎` : mark);
  }

  /** @param {any} item */
  row(item) {
    const [, word] = STATES[item.state] ?? ["", item.state];
    const quote = item.quote ? `“${short(item.quote, 60)}”` : positions(item);
    const row = make("div", { class: `item ${item.state}`, role: "option", "data-id": item.id });
    const risk = item.p === null ? "?" : figure(item.p);
    const line = make("span", { class: "item-quote" });
    line.append(make("bdi", {}, quote));
    const task = make("span", { class: "item-task" });
    task.append(make("bdi", {}, short(item.task, 40)));
    row.append(
      this.mark(item), line,
      make("span", { class: "item-p", title: "Probability that the suggestion is wrong" }, risk), task,
      make("span", { class: "item-kind" }, item.via === "audit" ? `${item.kind}, random check` : item.kind),
    );
    row.append(make("span", { class: "hidden" }, `, ${word}`));
    return row;
  }
}

/** Attributes, where they are others than before. @param {Element} element @param {Record<string, string>} attributes */
const set = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
};

/** @param {any} item */
const positions = (item) => {
  const view = state.project.tasks[item.n];
  return view?.measure === "millisecond" ? `${exactClock(item.start)}–${exactClock(item.end)}` : `${item.start}–${item.end}`;
};

/** The selects above the list. @param {QueueList} list */
export const bindFilters = (list) => {
  /** @type {[string, string][]} */
  const fields = [
    ["order", "order"], ["filter-state", "state"], ["filter-kind", "kind"], ["filter-label", "label"],
    ["filter-annotator", "annotator"], ["filter-task", "task"], ["filter-find", "find"], ["filter-noted", "noted"],
  ];
  const fill = (/** @type {string} */ id, /** @type {string} */ all, /** @type {string[]} */ names) => {
    byId(id).replaceChildren(make("option", { value: "" }, all), ...names.map((name) => make("option", { value: name }, short(name, 60) || "(no name)")));
  };
  fill("filter-kind", "all kinds", Object.keys(state.project.kinds));
  fill("filter-label", "all labels", state.project.labels);
  fill("filter-annotator", "all annotators", state.project.annotators);
  fill("filter-task", "all tasks", state.project.tasks.map((/** @type {any} */ one) => one.id));
  byId("by-annotator").hidden = state.project.blind;
  const show = () => {
    for (const [id, name] of fields) {
      const field = /** @type {HTMLInputElement} */ (byId(id));
      if (field.type === "checkbox") field.checked = Boolean(state.query[name]);
      else field.value = state.query[name];
    }
    const set = ["kind", "label", "annotator", "task", "find", "noted"].filter((name) => state.query[name]).length;
    byId("filter-count").textContent = set ? `(${set})` : "";
  };
  const change = async () => {
    for (const [id, name] of fields) {
      const field = /** @type {HTMLInputElement} */ (byId(id));
      state.query[name] = field.type === "checkbox" ? field.checked : field.value;
    }
    show();
    list.items = [];
    list.scrollTo(0);
    keepPlace();
    await list.renew();
    if (list.items.length && !list.items.some((one) => one.id === state.site?.id)) {
      await openSite(list.items[0].id, state.query.state ? "browse" : "");
    }
    list.follow();
  };
  for (const [id] of fields) byId(id).addEventListener("change", () => void change());
  byId("filter-clear").addEventListener("click", () => {
    for (const [id] of fields.slice(2)) {
      const field = /** @type {HTMLInputElement} */ (byId(id));
      field.value = "";
      field.checked = false;
    }
    void change();
  });
  show();
  return show;
};
