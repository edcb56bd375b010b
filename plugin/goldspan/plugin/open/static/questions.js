// @ts-check
/* Questions: what files leave open, as a form with examples from them. */
import { make } from "./elements.js";

/** Fill a form. @param {HTMLElement} place @param {any[]} questions @param {Record<string, string>} answers */
export const showQuestions = (place, questions, answers) => {
  place.replaceChildren(...questions.map((question, n) => field(question, `${place.id}-${n}`, answers[question.option])));
};

/** The answers in a form. @param {HTMLElement} place @returns {Record<string, string>} */
export const readAnswers = (place) => {
  /** @type {Record<string, string>} */
  const found = {};
  for (const box of place.querySelectorAll("fieldset")) {
    const option = /** @type {HTMLElement} */ (box).dataset.option ?? "";
    const picked = /** @type {HTMLInputElement | null} */ (box.querySelector("input[type=radio]:checked"));
    const written = /** @type {HTMLInputElement | null} */ (box.querySelector("input[type=text]"));
    const value = picked && picked.value ? picked.value : (written?.value.trim() ?? "");
    if (value) found[option] = value;
  }
  return found;
};

/** @param {any} question @param {string} name @param {string | undefined} before */
const field = (question, name, before) => {
  const box = make("fieldset", { "data-option": question.option });
  box.append(make("legend", {}, question.say));
  const usual = before ?? question.suggested;
  // One answer alone is not a choice; it counts without being shown.
  box.hidden = !question.free && question.choices.length === 1;
  /** @param {string} value @param {boolean} on */
  const radio = (value, on) => {
    const input = /** @type {HTMLInputElement} */ (make("input", { type: "radio", name, value }));
    input.checked = on;
    input.required = true;
    return input;
  };
  for (const choice of question.choices) {
    const label = make("label", { class: "choice" });
    const text = make("span", {}, choice.says || choice.value);
    if (choice.example) text.append(make("small", {}, choice.example));
    label.append(radio(choice.value, choice.value === usual), text);
    box.append(label);
  }
  if (question.free) {
    const known = question.choices.some((/** @type {any} */ choice) => choice.value === usual);
    const label = make("label", { class: "choice" });
    const other = radio("", !known && (usual !== "" || !question.choices.length));
    const said = question.option === "--unlabelled" ? "the label" : "other, such as {annotator}/{task}.txt";
    const written = make("input", { type: "text", "aria-label": `${question.say} Another answer`, placeholder: question.option === "--category-from" ? "other" : said });
    if (!known && before) written.value = before;
    written.addEventListener("input", () => { other.checked = true; });
    label.append(other, written);
    box.append(label);
  }
  return box;
};
