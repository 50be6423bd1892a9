// Sounds made by the page itself, short and quiet. Nothing sounds unless the reader has switched it on, nor where nothing is to move.

import { preference } from "./store.js";

/** @type {AudioContext | null} */
let context = null;

/** What each sound is made of: tones `[start, end, from, to]` in hertz over seconds, and noise through a filter. */
const SOUNDS = {
  miss: { noise: { from: 1400, to: 300, seconds: 0.35, volume: 0.12 }, tones: [] },
  hit: { noise: { from: 500, to: 60, seconds: 0.3, volume: 0.25 }, tones: [{ from: 140, to: 50, at: 0, seconds: 0.25, volume: 0.3 }] },
  sunk: {
    noise: { from: 700, to: 40, seconds: 0.9, volume: 0.25 },
    tones: [
      { from: 160, to: 40, at: 0, seconds: 0.5, volume: 0.3 },
      { from: 110, to: 30, at: 0.18, seconds: 0.7, volume: 0.25 },
    ],
  },
  won: { noise: null, tones: [523, 659, 784, 1047].map((from, i) => ({ from, to: from, at: i * 0.13, seconds: 0.3, volume: 0.16 })) },
  lost: { noise: null, tones: [392, 330, 262].map((from, i) => ({ from, to: from, at: i * 0.2, seconds: 0.35, volume: 0.14 })) },
  // A shot that is answered after the turn.
  untold: { noise: { from: 900, to: 500, seconds: 0.12, volume: 0.06 }, tones: [] },
  turn: { noise: null, tones: [{ from: 880, to: 880, at: 0, seconds: 0.12, volume: 0.1 }] },
};

/** Whether the reader's system asks pages to keep still. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (preference("sound", false) && !isStill()) sound(SOUNDS[name]);
}

function sound({ noise, tones }) {
  try {
    context ??= new AudioContext();
    void context.resume();
    tones.forEach((tone) => addTone(context, tone));
    if (noise) addNoise(context, noise);
  } catch {
    // A browser without sound plays as well.
  }
}

/** A volume that falls to nothing. */
function fading(audio, volume, start, seconds) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  gain.connect(audio.destination);
  return gain;
}

function addTone(audio, { from, to, at, seconds, volume }) {
  const start = audio.currentTime + at;
  const tone = audio.createOscillator();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(from, start);
  tone.frequency.exponentialRampToValueAtTime(to, start + seconds);
  tone.connect(fading(audio, volume, start, seconds));
  tone.start(start);
  tone.stop(start + seconds);
}

function addNoise(audio, { from, to, seconds, volume }) {
  const start = audio.currentTime;
  const samples = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  samples.getChannelData(0).forEach((_, i, data) => {
    data[i] = Math.random() * 2 - 1;
  });
  const source = audio.createBufferSource();
  source.buffer = samples;
  const filter = audio.createBiquadFilter();
  filter.frequency.setValueAtTime(from, start);
  filter.frequency.exponentialRampToValueAtTime(to, start + seconds);
  source.connect(filter).connect(fading(audio, volume, start, seconds));
  source.start(start);
}

/** A short vibration, where the reader wants it and the device can. */
export function vibrate(milliseconds = 40) {
  if (preference("vibrate", false)) navigator.vibrate?.(milliseconds);
}
