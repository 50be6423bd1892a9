// The live connection to a game: the server sends a view at once and after every change.

import { live as address } from "./api.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
/** Closing codes after which trying again is no use. */
const FINAL = new Set([4401, 4403, 4404]);

export class Live {
  /**
   * @param {string} id
   * @param {string} token
   * @param {{onView: (view: View) => void, onState: (state: "open"|"lost"|"refused") => void,
   *   onPresence?: (here: boolean) => void}} listeners
   */
  constructor(id, token, listeners) {
    this.id = id;
    this.token = token;
    this.listeners = listeners;
    this.wait = FIRST_WAIT;
    // A connection that slept with the phone may be dead without knowing it, so it is always made anew.
    this.hurry = () => {
      if (!document.hidden) this.#connectAnew();
    };
    // A page that is kept for the way back must not look as if somebody were there.
    this.leave = () => this.socket?.close();
    window.addEventListener("pagehide", this.leave);
    document.addEventListener("visibilitychange", this.hurry);
    window.addEventListener("online", this.hurry);
    this.#connect();
  }

  #connect() {
    clearTimeout(this.timer);
    const socket = new WebSocket(address(this.id));
    this.socket = socket;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ token: this.token, presence: true })));
    socket.addEventListener("message", (event) => this.#receive(event.data));
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.#lost(event.code);
    });
  }

  #receive(text) {
    this.wait = FIRST_WAIT;
    this.listeners.onState("open");
    const message = JSON.parse(text);
    if ("presence" in message) this.listeners.onPresence?.(message.presence.opponent);
    else this.listeners.onView(message);
  }

  #lost(code) {
    this.socket = null;
    if (FINAL.has(code)) {
      this.close();
      this.listeners.onState("refused");
      return;
    }
    this.listeners.onState("lost");
    // A little chance, so that many pages don't come back in the same moment.
    this.timer = setTimeout(() => this.#connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  #connectAnew() {
    const old = this.socket;
    this.wait = FIRST_WAIT;
    this.#connect();
    old?.close();
  }

  close() {
    clearTimeout(this.timer);
    window.removeEventListener("pagehide", this.leave);
    document.removeEventListener("visibilitychange", this.hurry);
    window.removeEventListener("online", this.hurry);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
