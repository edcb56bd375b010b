// @ts-check
/* Positions: the server counts code points, the page shows UTF-16. Boundaries move by graphemes or
   words, never into the middle of one. */

/** @type {Record<string, string>} What would reorder or hide text is shown by its name. */
const NAMED = {
  "\u202a": "⟨LRE⟩", "\u202b": "⟨RLE⟩", "\u202c": "⟨PDF⟩", "\u202d": "⟨LRO⟩", "\u202e": "⟨RLO⟩",
  "\u2066": "⟨LRI⟩", "\u2067": "⟨RLI⟩", "\u2068": "⟨FSI⟩", "\u2069": "⟨PDI⟩", "\u0000": "⟨NUL⟩",
};
const SPECIAL = /[\ud800-\udfff\u202a-\u202e\u2066-\u2069\u0000]/;

/** Text with the characters that reorder it shown by name. @param {string} raw */
export const plain = (raw) => (SPECIAL.test(raw) ? [...raw].map((point) => NAMED[point] ?? point).join("") : raw);

/** A block of a text as it is shown. */
export class ShownBlock {
  /** @param {number} start @param {string} raw */
  constructor(start, raw) {
    this.start = start;
    this.raw = raw;
    /** @type {number[] | null} */
    this.offsets = null;
    this.shown = raw;
    this.length = raw.length;
    if (SPECIAL.test(raw)) {
      this.offsets = [0];
      let shown = "";
      for (const point of raw) {
        shown += NAMED[point] ?? point;
        this.offsets.push(shown.length);
      }
      this.shown = shown;
      this.length = this.offsets.length - 1;
    }
    this.end = start + this.length;
  }

  /** Where a position is in what is shown. @param {number} position */
  offset(position) {
    const at = Math.min(Math.max(Math.round(position) - this.start, 0), this.length);
    return this.offsets ? this.offsets[at] : at;
  }

  /** The position at an offset of what is shown. @param {number} offset */
  position(offset) {
    if (!this.offsets) return this.start + Math.min(offset, this.length);
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.offsets[middle] < offset) low = middle + 1;
      else high = middle;
    }
    return this.start + low;
  }
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Where a boundary may stand in a piece of text, in code points from its beginning.
 * @param {string} piece @param {"grapheme" | "word"} by @param {"start" | "end"} edge */
export const boundaries = (piece, by, edge) => {
  const found = [];
  let at = 0;
  for (const one of (by === "word" ? words : graphemes).segment(piece)) {
    const stop = at + [...one.segment].length;
    if (by === "grapheme") found.push(at);
    else if (one.isWordLike) found.push(edge === "start" ? at : stop);
    at = stop;
  }
  if (by === "grapheme") found.push(at);
  return found;
};

/** The next boundary in a direction; null where there is none.
 * @param {{ start: number, text: string }} piece @param {number} position @param {number} direction
 * @param {"grapheme" | "word"} by @param {"start" | "end"} edge @returns {number | null} */
export const stepText = (piece, position, direction, by, edge) => {
  const places = boundaries(piece.text, by, edge).map((place) => place + piece.start);
  const found = direction > 0 ? places.find((one) => one > position) : places.findLast((one) => one < position);
  return found ?? null;
};
