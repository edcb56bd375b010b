// @ts-check
/* Words: sites and spans in sentences. */

import { clock } from "./lanes.js";
import { plain } from "./positions.js";
import { state } from "./state.js";

/** What a kind of question asks. @type {Record<string, string>} */
export const QUESTIONS = {
  miss: "Does something belong here?", label: "Which label is right?", boundary: "Where does it begin and end?",
  split: "One span or several?", check: "Is this right?",
};

/** @type {Record<string, [string, string]>} */
export const STATES = {
  open: ["○", "open"], settled: ["✓", "settled"], skipped: ["⤼", "skipped"], reopened: ["↺", "reopened"],
  contested: ["≠", "contested"], suggested: ["·", "agreed"],
};

/** Whether a task is time. */
export const isTime = () => state.site?.measure === "millisecond";

/** @param {number} position */
export const placeWord = (position) => (isTime() ? exactClock(position) : String(position));

/** A time with all its milliseconds. @param {number} milliseconds */
export const exactClock = (milliseconds) => {
  const whole = Math.floor(milliseconds / 1000);
  const rest = String(Math.round(milliseconds - whole * 1000)).padStart(3, "0");
  return `${clock(whole * 1000)}.${rest}`;
};

/** @param {number} part  from 0 to 1 */
export const percent = (part) => `${Math.round(part * 100)} %`;

/** A probability without its zero. @param {number | null | undefined} part */
export const figure = (part) => (part === null || part === undefined ? "–" : part >= 0.995 ? "1.0" : part.toFixed(2).slice(1));

/** @param {string} text @param {number} most */
export const short = (text, most) => {
  const points = [...plain(text).replace(/\s+/g, " ")];
  return points.length > most ? `${points.slice(0, most - 1).join("")}…` : points.join("");
};

/** @param {import("./draft.js").Span[]} spans */
export const describeSpans = (spans) =>
  spans.length
    ? spans.map(([start, end, label]) => `${short(label, 40)} ${placeWord(start)}–${placeWord(end)}`).join(", ")
    : "nothing here";

/** Made once: making it takes longer than all else that a key does to the head of the page. */
const CLOCK = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });

/** @param {string} when  a time stamp */
export const time = (when) => {
  const date = new Date(when);
  return Number.isNaN(date.getTime()) ? "" : CLOCK.format(date);
};

/** @param {string} when */
export const day = (when) => {
  const date = new Date(when);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleDateString([], { day: "numeric", month: "long", year: "numeric" });
};
