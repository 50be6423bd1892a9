// A Battleship bot in Go that speaks UBI (docs/ubi.md): fires around hits, and otherwise at random on a pattern.
// Build it with: go build -o hunter-go hunter.go
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

type cell struct{ row, col int }

var rows, cols int
var fleet []int
var touch string
var answers = map[string]bool{} // whether the shot at a cell hit
var random = rand.New(rand.NewSource(1))

func (c cell) String() string {
	letters := string(rune('A' + c.row%26))
	if c.row >= 26 {
		letters = string(rune('A'+c.row/26-1)) + letters
	}
	return letters + strconv.Itoa(c.col+1)
}

func place() string { // puts ships where they fit, and starts over when one doesn't
	blocked, ships := map[cell]bool{}, []string{}
	for tries := 0; len(ships) < len(fleet); tries++ {
		if tries > 1000 {
			blocked, ships, tries = map[cell]bool{}, nil, 0
		}
		length, bow, down := fleet[len(ships)], cell{random.Intn(rows), random.Intn(cols)}, random.Intn(2)
		stern, fits := cell{bow.row + down*(length-1), bow.col + (1-down)*(length-1)}, true
		for r := bow.row; r <= stern.row; r++ {
			for c := bow.col; c <= stern.col; c++ {
				fits = fits && r < rows && c < cols && !blocked[cell{r, c}]
			}
		}
		if !fits {
			continue
		}
		apart := 1
		if touch == "allowed" {
			apart = 0
		}
		for r := bow.row - apart; r <= stern.row+apart; r++ {
			for c := bow.col - apart; c <= stern.col+apart; c++ {
				blocked[cell{r, c}] = true
			}
		}
		ships = append(ships, strings.TrimSuffix(fmt.Sprintf("%v-%v", bow, stern), map[bool]string{true: "-" + stern.String()}[length == 1]))
	}
	return "layout " + strings.Join(ships, " ")
}

func shoot() string {
	shortest, best, number, choice := 64, -1, 0, cell{}
	for _, length := range fleet {
		shortest = min(shortest, length)
	}
	for i := 0; i < rows*cols; i++ {
		c, worth := cell{i / cols, i % cols}, 0
		if _, fired := answers[c.String()]; fired {
			continue
		}
		if (c.row+c.col)%shortest == 0 {
			worth = 1
		}
		for _, n := range []cell{{c.row, c.col - 1}, {c.row, c.col + 1}, {c.row - 1, c.col}, {c.row + 1, c.col}} {
			if n.row >= 0 && answers[n.String()] {
				worth = 2
			}
		}
		if worth > best {
			best, number = worth, 0
		}
		if worth == best {
			if number++; random.Intn(number) == 0 {
				choice = c
			}
		}
	}
	return "bestshot " + choice.String()
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<17)
	for in.Scan() {
		words := append(strings.Fields(in.Text()), "", "", "", "", "")
		switch words[0] {
		case "ubi":
			fmt.Println("id name hunter-go\noption name seed type spin default 0\nubiok")
		case "setoption":
			if seed, err := strconv.ParseUint(words[4], 10, 64); err == nil && words[2] == "seed" {
				random = rand.New(rand.NewSource(int64(seed)))
			}
		case "newgame":
			fmt.Sscanf(words[1], "%dx%d", &rows, &cols)
			fleet, touch, answers = nil, words[3], map[string]bool{}
			for _, length := range strings.Split(words[2], ",") {
				n, _ := strconv.Atoi(length)
				fleet = append(fleet, n)
			}
		case "place":
			fmt.Println(place())
		case "position":
			answers = map[string]bool{}
			for _, shot := range words[1:] {
				if end := strings.IndexAny(shot, "-+#"); end > 0 {
					answers[shot[:end]] = shot[end] != '-'
				}
			}
		case "go":
			fmt.Println(shoot())
		case "quit":
			return
		}
	}
}
