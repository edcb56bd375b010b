// @ts-check
/* Messages: one polite line of status, an alert only for what went wrong, and writing into elements. */

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Write into an element what does not stand there already. @param {string} id @param {string} text */
export const put = (id, text) => {
  const box = byId(id);
  if (box.textContent !== text) box.textContent = text;
};

/** Make these rows the children of a box; those that stand there already are not moved, and keep the focus.
 * @param {HTMLElement} box @param {HTMLElement[]} rows */
export const arrange = (box, rows) => {
  const wanted = new Set(/** @type {Element[]} */ (rows));
  for (const row of [...box.children]) if (!wanted.has(row)) row.remove();
  rows.forEach((row, at) => {
    if (box.children[at] !== row) box.insertBefore(row, box.children[at] ?? null);
  });
};

/** @param {string} sentence */
export const say = (sentence) => {
  byId("status").textContent = sentence;
};

/** @param {string} sentence  empty: it is over */
export const alarm = (sentence) => {
  put("alert", sentence);
};
