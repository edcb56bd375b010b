// @ts-check
/* Player: plays a span of a recording, exactly from its start to its end. */

import { say } from "./messages.js";

export class Player {
  /** @param {HTMLMediaElement} element @param {(ms: number) => void} moved */
  constructor(element, moved) {
    this.element = element;
    this.moved = moved;
    this.loop = false;
    this.from = 0;
    this.to = 0;
    this.frame = 0;
    element.preload = "metadata";
    element.addEventListener("pause", () => cancelAnimationFrame(this.frame));
  }

  get now() {
    return this.element.currentTime * 1000;
  }

  /** Play, or stop what plays. @param {number} from @param {number} to  in milliseconds */
  async toggle(from, to) {
    if (!this.element.paused) {
      this.element.pause();
      return;
    }
    this.from = from;
    this.to = to;
    this.element.currentTime = from / 1000;
    try {
      await this.element.play();
    } catch (error) {
      const name = error instanceof DOMException ? error.name : "";
      if (name === "NotAllowedError") say("The browser wants a click before it plays sound: press play.");
      else if (name !== "AbortError") say("This browser cannot play the recording.");
      return;
    }
    this.watch();
  }

  watch() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const { element } = this;
      this.moved(this.now);
      if (this.now >= this.to) {
        if (this.loop) element.currentTime = this.from / 1000;
        else {
          element.pause();
          // A busy browser looks late: the next step begins where the span ends.
          element.currentTime = this.to / 1000;
          return;
        }
      }
      if (!element.paused) this.watch();
    });
  }

  /** @param {number} ms */
  seek(ms) {
    this.element.currentTime = Math.max(0, ms) / 1000;
    this.moved(ms);
  }

  stop() {
    this.element.pause();
  }
}
