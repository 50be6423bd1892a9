// The address after the `#` says which view is shown: `#/analyse?preset=classic&shots=E5o.C3x`.

/**
 * Reads a fragment. Values are decoded as in a path: a plus sign stays a plus sign, since it means a hit.
 * @returns {{name: string, parts: string[], query: Object<string, string>}}
 */
export function parse(fragment) {
  const [path, query = ""] = split(fragment.replace(/^#\/?/, ""), "?");
  const [name, ...parts] = path.split("/").map(decode);
  const pairs = query
    .split("&")
    .filter(Boolean)
    .map((pair) => split(pair, "=").map(decode));
  return { name: name || "play", parts, query: Object.fromEntries(pairs.map(([key, value = ""]) => [key, value])) };
}

function split(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Signs that are harmless in a fragment stay readable. */
const encode = (value) => encodeURIComponent(value).replace(/%2C/g, ",");

/** Writes a fragment; empty values are left out. */
export function format(name, parts = [], query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = pairs.map(([key, value]) => `${key}=${encode(value)}`).join("&");
  return `#/${[name, ...parts].map(encode).join("/")}${text ? `?${text}` : ""}`;
}

export function go(name, parts, query) {
  location.hash = format(name, parts, query);
}

/** Goes there in place of where one is: the way back leaves this one out. */
export function swap(name, parts, query) {
  location.replace(format(name, parts, query));
}

/** Changes the address without a new entry in the history and without changing the view. */
export function replace(name, parts, query) {
  history.replaceState(null, "", format(name, parts, query));
}

/** A whole address, to be sent to someone. */
export function link(name, parts, query) {
  return location.origin + location.pathname + format(name, parts, query);
}
