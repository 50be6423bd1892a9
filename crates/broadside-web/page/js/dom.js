// Elements made from script. The content security policy forbids inline styles and scripts, and nothing here parses HTML,
// so that a player's name can never be markup.

/**
 * Makes an element.
 * @param {string} tag
 * @param {Object} [props] attributes; `class`, `text`, `data` (dataset), `on` (listeners) are special; null and false leave out
 * @param {...(Node|string|null|undefined)} children
 */
export function el(tag, props = {}, ...children) {
  return dress(document.createElement(tag), props, children);
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for SVG. */
export function svg(tag, props = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), props, children);
}

function dress(element, props, children) {
  for (const [name, value] of Object.entries(props)) set(element, name, value);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function set(element, name, value) {
  if (name === "text") element.textContent = value;
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name === "on") Object.entries(value).forEach(([event, listener]) => element.addEventListener(event, listener));
  else if (value === true) element.setAttribute(name, "");
  else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
}

/** Sets an attribute, or takes it away; leaves the page alone when nothing changes. */
export function attribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Sets a text; leaves the page alone when nothing changes, so that screen readers don't say it again. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A button with an id, a label and what it does. */
export function button(id, label, act, props = {}) {
  return el("button", { type: "button", id, text: label, on: { click: act }, ...props });
}

/** Calls the last one only, some time after it. */
export function debounce(milliseconds, act) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), milliseconds);
  };
}
