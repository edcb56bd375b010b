// @ts-check
/* Media: recording, waveform, overview and the buttons that play. */

import { clock, make } from "./lanes.js";
import { openSite, parts } from "./actions.js";
import { current } from "./draft.js";
import { byId, say } from "./messages.js";
import { Player } from "./player.js";
import { state } from "./state.js";
import { Peaks, drawWave } from "./wave.js";
import { exactClock } from "./words.js";

const MARGIN_MS = 4000, AROUND_MS = 2000, LEAST_VIEW_MS = 200, BEYOND_MS = 50, SPEEDS = [0.5, 1, 1.5];

export class MediaPane {
  /** @param {import("./site_lanes.js").SiteLanes} lanes */
  constructor(lanes) {
    this.box = byId("media");
    this.lanes = lanes;
    this.task = -1;
    /** @type {Player | null} */
    this.player = null;
    /** @type {Peaks | null} */
    this.peaks = null;
    this.view = { from: 0, to: 1 };
    this.length = 1;
    this.fault = "";
    this.speed = 1;
    /** @type {any} */
    this.media = null;
    this.play = this.button("play", "▶ Span");
    this.around = this.button("around", "▶ ± 2 s");
    this.loop = this.button("loop", "Loop");
    this.hide = this.button("video", "Video");
    this.files = /** @type {HTMLSelectElement} */ (make("select", { "aria-label": "Recording" }));
    this.time = make("span", { class: "time" });
    this.overview = /** @type {HTMLCanvasElement} */ (make("canvas", { class: "overview", "aria-hidden": "true" }));
    this.wave = /** @type {HTMLCanvasElement} */ (make("canvas", { class: "wave", "aria-hidden": "true" }));
    this.notice = make("p", { class: "soft", hidden: "" });
    this.place = make("div", { class: "player" });
    this.build();
    new ResizeObserver(() => this.draw()).observe(this.wave);
  }

  build() {
    const tools = make("div", { class: "media-tools" });
    this.loop.setAttribute("aria-pressed", "false");
    this.hide.setAttribute("aria-pressed", "true");
    const speed = make("label", {}, "Speed ");
    const select = /** @type {HTMLSelectElement} */ (make("select", {}));
    select.append(...SPEEDS.map((one) => make("option", { value: one }, String(one))));
    select.value = "1";
    select.addEventListener("change", () => {
      this.speed = Number(select.value);
      if (this.player) this.player.element.playbackRate = this.speed;
    });
    speed.append(select);
    this.files.addEventListener("change", () => this.load(Number(this.files.value)));
    tools.append(this.play, this.around, this.loop, speed, this.hide, this.files, this.time, make("span", { class: "grow" }));
    tools.append(this.small("−", "Zoom out", () => this.zoom(2)), this.small("+", "Zoom in", () => this.zoom(0.5)));
    const pictures = make("div", { class: "waves" });
    pictures.append(this.overview, this.wave, this.notice);
    const row = make("div", { class: "media-row" });
    row.append(this.place, pictures);
    this.box.replaceChildren(tools, row);
    this.bind();
  }

  /** @param {string} command @param {string} text */
  button(command, text) {
    return make("button", { type: "button", "data-command": command }, text);
  }

  /** @param {string} text @param {string} name @param {() => void} run */
  small(text, name, run) {
    const made = make("button", { type: "button", class: "icon", "aria-label": name, title: name }, text);
    made.addEventListener("click", run);
    return made;
  }

  /** The recording of the task, if it is another one, and the site in view. */
  show() {
    const { site } = state;
    const media = parts.task?.media;
    const used = site?.measure === "millisecond";
    this.box.hidden = !used;
    this.lanes.view = null;
    if (!used || !site) {
      this.player?.stop();
      return;
    }
    if (this.task !== site.n) {
      this.task = site.n;
      this.media = media;
      this.files.replaceChildren(...(media?.files ?? []).map((/** @type {any} */ one, /** @type {number} */ at) => make("option", { value: at }, one.name)));
      this.files.hidden = (media?.files.length ?? 0) < 2;
      this.load(0);
    }
    this.player?.stop();
    this.look(site.start - MARGIN_MS, site.end + MARGIN_MS);
    this.tell();
    this.comment();
  }

  /** @param {number} at  which file */
  load(at) {
    const file = this.media?.files[at];
    this.player?.stop();
    this.player = null;
    this.peaks = null;
    this.place.replaceChildren();
    const units = parts.task?.units ?? [];
    const last = units.reduce((/** @type {number} */ most, /** @type {any[]} */ one) => Math.max(most, one[1]), 0);
    this.length = Math.max((file?.seconds ?? 0) * 1000, parts.task?.view.length ?? 0, last, 1);
    const playable = file && file.kind !== "other";
    for (const one of [this.play, this.around, this.loop]) /** @type {HTMLButtonElement} */ (one).disabled = !playable;
    this.hide.hidden = file?.kind !== "video";
    if (playable) {
      const element = /** @type {HTMLMediaElement} */ (make(file.kind === "video" ? "video" : "audio", { src: file.url }));
      element.addEventListener("loadedmetadata", () => this.measured(element));
      element.addEventListener("error", () => {
        this.fault = `This browser cannot play ${file.name}.`;
        this.comment();
      });
      element.playbackRate = this.speed;
      this.place.append(element);
      this.player = new Player(element, () => this.draw());
      this.player.loop = this.loop.getAttribute("aria-pressed") === "true";
    }
    if (file?.peaks) this.peaks = new Peaks(this.task, at, () => this.drawAll());
    this.wave.hidden = this.overview.hidden = !file;
    this.fault = file?.say ?? "";
    this.comment();
  }

  /** @param {HTMLMediaElement} element */
  measured(element) {
    if (Number.isFinite(element.duration)) this.length = Math.max(this.length, element.duration * 1000);
    this.comment();
    this.drawAll();
  }

  /** What is wrong with the recording, and whether the site goes beyond its end. */
  comment() {
    const end = (this.player?.element.duration ?? NaN) * 1000;
    const beyond = (state.site?.end ?? 0) - end > BEYOND_MS;
    const said = [this.media?.say, this.fault, beyond ? `The recording ends at ${exactClock(end)}; this place goes beyond it.` : ""];
    this.explain(said.filter(Boolean).join(" "));
  }

  /** @param {string} sentence */
  explain(sentence) {
    this.notice.textContent = sentence;
    this.notice.hidden = !sentence;
  }

  /** Show this part of the recording. @param {number} from @param {number} to */
  look(from, to) {
    const size = Math.min(Math.max(to - from, LEAST_VIEW_MS), this.length);
    const low = Math.min(Math.max(from, 0), Math.max(this.length - size, 0));
    this.view = { from: low, to: low + size };
    this.lanes.view = this.view;
    this.drawAll();
  }

  /** Show the part around a boundary, unless it is in view. @param {number} position */
  keepInView(position) {
    const { from, to } = this.view;
    if (position >= from && position <= to) return;
    this.look(position - (to - from) / 2, position + (to - from) / 2);
    this.lanes.render();
  }

  /** @param {number} factor @param {number} [about] */
  zoom(factor, about) {
    const { from, to } = this.view;
    const middle = about ?? (from + to) / 2;
    this.look(middle - (middle - from) * factor, middle + (to - middle) * factor);
    this.lanes.render();
  }

  drawAll() {
    const open = parts.task?.sites.filter((/** @type {any[]} */ one) => one[2] !== "settled" && one[2] !== "suggested") ?? [];
    drawWave(this.overview, this.peaks, 0, this.length, (context, x, height, styles) => {
      context.fillStyle = styles.getPropertyValue("--window");
      context.fillRect(x(this.view.from), 0, Math.max(3, x(this.view.to) - x(this.view.from)), height);
      context.fillStyle = styles.getPropertyValue("--warn");
      for (const one of open) context.fillRect(x(one[0]), height - 5, 2, 5);
    });
    if (this.peaks?.say) this.explain(this.peaks.say);
    this.draw();
  }

  draw() {
    const { from, to } = this.view;
    drawWave(this.wave, this.peaks, from, to, (context, x, height, styles) => {
      context.fillStyle = styles.getPropertyValue("--window");
      for (const span of state.draft.spans) context.fillRect(x(span[0]), 0, Math.max(1, x(span[1]) - x(span[0])), height);
      if (state.selection) {
        context.fillStyle = styles.getPropertyValue("--chosen");
        context.fillRect(x(state.selection[0]), 0, Math.max(1, x(state.selection[1]) - x(state.selection[0])), height);
      }
      if (this.player) {
        context.fillStyle = styles.getPropertyValue("--warn");
        context.fillRect(x(this.player.now), 0, 1.5, height);
      }
    });
    this.tell();
  }

  tell() {
    const now = this.player ? `${exactClock(this.player.now)} of ${clock(Math.round(this.length / 100) * 100)}` : "";
    if (this.time.textContent !== now) this.time.textContent = now;
  }

  /** @param {number} margin  before and after the span */
  playSpan(margin) {
    const span = state.selection ?? current(state.draft) ?? (state.site ? [state.site.start, state.site.end] : null);
    if (!span) return;
    if (!this.player) say("There is no recording to play.");
    else void this.player.toggle(Math.max(0, span[0] - margin), span[1] + margin);
  }

  playAround() {
    this.playSpan(AROUND_MS);
  }

  toggleLoop() {
    const on = this.loop.getAttribute("aria-pressed") !== "true";
    this.loop.setAttribute("aria-pressed", String(on));
    if (this.player) this.player.loop = on;
    say(on ? "Loop on." : "Loop off.");
  }

  toggleVideo() {
    const shown = this.hide.getAttribute("aria-pressed") !== "true";
    this.hide.setAttribute("aria-pressed", String(shown));
    this.place.hidden = !shown;
  }

  bind() {
    /** @param {PointerEvent | WheelEvent} event */
    const ms = (event) => {
      const rect = this.wave.getBoundingClientRect();
      const part = Math.min(Math.max((event.clientX - rect.left) / rect.width, 0), 1);
      return this.view.from + part * (this.view.to - this.view.from);
    };
    let down = -1;
    this.wave.addEventListener("pointerdown", (event) => {
      down = ms(event);
      this.wave.setPointerCapture(event.pointerId);
    });
    this.wave.addEventListener("pointermove", (event) => {
      if (down < 0) return;
      const now = ms(event);
      const wide = (Math.abs(now - down) / (this.view.to - this.view.from)) * this.wave.clientWidth > 3;
      state.selection = wide ? [Math.round(Math.min(down, now) / 10) * 10, Math.round(Math.max(down, now) / 10) * 10] : null;
      this.draw();
    });
    this.wave.addEventListener("pointerup", (event) => {
      if (!state.selection) this.player?.seek(ms(event));
      byId("selection").hidden = !state.selection;
      down = -1;
    });
    this.wave.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, ms(event));
    }, { passive: false });
    this.overview.addEventListener("click", (event) => this.goTo(event));
  }

  /** Look at a place of the overview; near a tick, open its site. @param {MouseEvent} event */
  goTo(event) {
    const rect = this.overview.getBoundingClientRect();
    const at = ((event.clientX - rect.left) / rect.width) * this.length;
    const near = (6 / rect.width) * this.length;
    const found = parts.task?.sites.filter((/** @type {any[]} */ one) => one[2] !== "suggested" && Math.abs(one[0] - at) < near)
      .sort((/** @type {any[]} */ a, /** @type {any[]} */ b) => Math.abs(a[0] - at) - Math.abs(b[0] - at))[0];
    if (found && event.detail > 1) {
      void openSite(found[3]);
      return;
    }
    const size = this.view.to - this.view.from;
    this.look(at - size / 2, at + size / 2);
    this.player?.seek(at);
    this.lanes.render();
  }
}
