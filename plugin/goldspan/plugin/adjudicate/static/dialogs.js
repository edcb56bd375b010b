// @ts-check
/* Dialogs: opening and closing, and where the focus goes afterwards. */

import { byId } from "./messages.js";

/** @type {() => void} */
let back = () => undefined;

/** @param {() => void} focus  called after a dialog was closed */
export const bindDialogs = (focus) => {
  back = focus;
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("close", () => back());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || /** @type {Element} */ (event.target).closest(".cancel")) dialog.close();
    });
  }
};

/** @param {string} id */
export const openDialog = (id) => {
  const dialog = /** @type {HTMLDialogElement} */ (byId(id));
  if (!dialog.open) dialog.showModal();
};

/** @param {string} id */
export const closeDialog = (id) => /** @type {HTMLDialogElement} */ (byId(id)).close();

export const isDialogOpen = () => document.querySelector("dialog[open]") !== null;
