// @ts-check
/* Elements: found and made. */

/** @param {string} selector @returns {any} */
export const one = (selector) => document.querySelector(selector);

/** @param {string} tag @param {Record<string, string>} [attributes] @param {string} [text] */
export const make = (tag, attributes = {}, text) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
};
