// Elements made from script. The content security policy forbids inline styles and scripts, and nothing here parses HTML,
// so that a player's name can never be markup.

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props] attributes; `class`, `text`, `data` (dataset), `on` (listeners) are special; null and false leave out
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, props = {}, ...children) {
  return applyProps(document.createElement(tag), props, children);
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, props = {}, ...children) {
  return applyProps(document.createElementNS(SVG, tag), props, children);
}

/**
 * @template {HTMLElement | SVGElement} Made
 * @param {Made} element
 * @param {Props} props
 * @param {Child[]} children
 * @returns {Made}
 */
function applyProps(element, props, children) {
  for (const [name, value] of Object.entries(props)) set(element, name, value);
  element.append(...flattenChildren(children));
  return element;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function flattenChildren(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return flattenChildren(child);
    return child === null || child === undefined || child === false ? [] : [child];
  });
}

/** @param {HTMLElement | SVGElement} element @param {string} name @param {any} value */
function set(element, name, value) {
  if (name === "text") element.textContent = value;
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name === "on") Object.entries(value).forEach(([event, listener]) => element.addEventListener(event, listener));
  else if (value === true) element.setAttribute(name, "");
  else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
}

/**
 * Sets an attribute, or takes it away; leaves the page alone when nothing changes.
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function attribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/**
 * Sets a text; leaves the page alone when nothing changes, so that screen readers don't say it again.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A button with an id, a label and what it does.
 * @param {string | null} id
 * @param {string} label
 * @param {(event: MouseEvent) => void} act
 * @param {Props} [props]
 */
export function button(id, label, act, props = {}) {
  return el("button", { type: "button", id, text: label, on: { click: act }, ...props });
}

/**
 * Calls the last one only, some time after it.
 * @template {any[]} Args
 * @param {number} milliseconds
 * @param {(...args: Args) => void} act
 * @returns {(...args: Args) => void}
 */
export function debounce(milliseconds, act) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), milliseconds);
  };
}
