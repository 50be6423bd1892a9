// A plain script, not a module: it runs before the first paint, so that no one in a dark room is flashed at.
(() => {
  "use strict";
  const KEY = "broadside.theme";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const chosen = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage may be forbidden; then the system's choice holds
    }
  };
  const current = () => chosen() ?? (dark.matches ? "dark" : "light");
  const apply = () => {
    root.dataset.theme = current();
    document.dispatchEvent(new Event("themechange"));
  };
  const toggle = () => {
    const next = current() === "dark" ? "light" : "dark";
    const system = dark.matches ? "dark" : "light";
    try {
      // Back at the system's own choice, the page follows the system again.
      if (next === system) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, next);
    } catch {
      root.dataset.theme = next;
      return;
    }
    apply();
  };

  apply();
  dark.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", toggle);
    apply();
  });
})();
