"use strict";
// Moves through the games of the tournament.
const data = JSON.parse(document.getElementById("data").textContent);
const [game, shot, number, boards, end] = ["game", "shot", "number", "boards", "end"].map((id) => document.getElementById(id));

function rowName(row) {
  const letter = (n) => String.fromCharCode(65 + n);
  return row < 26 ? letter(row) : letter(Math.floor(row / 26) - 1) + letter(row % 26);
}

function cellsOf(layout) {
  const place = (cell) => {
    const [, letters, column] = /^([A-Z]+)(\d+)$/.exec(cell);
    const row = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    return [row, Number(column) - 1];
  };
  const cells = new Set();
  for (const ship of layout.split(" ").filter(Boolean)) {
    const [bow, stern = bow] = ship.split("-");
    const [[top, left], [bottom, right]] = [place(bow), place(stern)];
    for (let row = top; row <= bottom; row += 1) {
      for (let col = left; col <= right; col += 1) cells.add(rowName(row) + (col + 1));
    }
  }
  return cells;
}

function board(line, player, shots) {
  const ships = cellsOf(line.targets[player] ?? "");
  const marks = new Map(shots.map((text) => [/^[A-Z]+\d+/.exec(text)[0], text]));
  const last = shots.length ? /^[A-Z]+\d+/.exec(shots[shots.length - 1])[0] : "";
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = `${line.players[player]}: ${shots.length} shots`;
  const table = document.createElement("table");
  const head = table.insertRow();
  head.appendChild(document.createElement("th"));
  for (let col = 1; col <= data.cols; col += 1) head.appendChild(document.createElement("th")).textContent = col;
  for (let row = 0; row < data.rows; row += 1) {
    const cells = table.insertRow();
    cells.appendChild(document.createElement("th")).textContent = rowName(row);
    for (let col = 1; col <= data.cols; col += 1) {
      const name = rowName(row) + col;
      const cell = cells.insertCell();
      const mark = marks.get(name);
      if (ships.has(name)) cell.classList.add("ship");
      if (mark) cell.classList.add(mark.includes("#") ? "sunk" : mark.includes("+") ? "hit" : "miss");
      if (mark) cell.textContent = mark.includes("#") ? "#" : mark.includes("+") ? "×" : "•";
      if (name === last) cell.classList.add("last");
    }
  }
  figure.append(caption, table);
  return figure;
}

function show() {
  const line = data.games[Number(game.value)];
  const now = Number(shot.value);
  number.textContent = `${now} of ${shot.max}`;
  boards.replaceChildren(...line.players.map((_, player) => {
    const all = line.shots[player].split(" ").filter(Boolean);
    return board(line, player, all.slice(0, now));
  }));
  const words = line.forfeit ? `${line.forfeit.player} forfeits: ${line.forfeit.reason}` : line.winner ? `${line.winner} wins` : "";
  end.textContent = now === Number(shot.max) ? words : "";
}

function choose() {
  const line = data.games[Number(game.value)];
  shot.max = String(Math.max(...line.shots.map((shots) => shots.split(" ").filter(Boolean).length)));
  shot.value = shot.max;
  show();
}

data.games.forEach((line, index) => {
  const option = document.createElement("option");
  option.value = String(index);
  option.textContent = `${line.number}: ${line.players.join(" – ")}`;
  game.append(option);
});
if (data.games.length) {
  document.getElementById("viewer").hidden = false;
  game.addEventListener("change", choose);
  shot.addEventListener("input", show);
  choose();
}
