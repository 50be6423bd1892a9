// A Battleship bot that speaks UBI (docs/ubi.md): fires next to hits, otherwise on every second cell.
// Build it with: go build -o hunter-go hunter.go
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strings"
)

var rows, cols, seed int
var fleet, log string // log: all shots and their answers

func name(row, col int) string      { return fmt.Sprintf("%c%d", 'A'+row, col+1) } // up to row Z
func is(row, col int, a string) int { return strings.Count(log, name(row, col)+a) }
func hit(row, col int) int          { return is(row, col, "+") + is(row, col, "#") }

func place() string { // starts over when a ship doesn't fit
	layout, ships, length := "layout", [][4]int{}, 0
	for _, word := range strings.Split(fleet, ",") {
		fmt.Sscan(word, &length)
		down, top, left := rand.Intn(2), rand.Intn(rows), rand.Intn(cols)
		bottom, right := top+down*(length-1), left+(1-down)*(length-1)
		fits := bottom < rows && right < cols
		for _, s := range ships {
			fits = fits && (top > s[2]+1 || left > s[3]+1 || bottom < s[0]-1 || right < s[1]-1)
		}
		if !fits {
			return place()
		}
		layout += " " + name(top, left) + "-" + name(bottom, right)
		ships = append(ships, [4]int{top, left, bottom, right})
	}
	return layout
}

func shoot() (answer string) {
	for i, best := 0, -1; i < rows*cols; i++ {
		row, col := i/cols, i%cols
		near := hit(row-1, col) + hit(row+1, col) + hit(row, col-1) + hit(row, col+1)
		worth := 2048*near + 1024*((row+col)%2) + rand.Intn(1024)
		if worth > best && hit(row, col)+is(row, col, "-") == 0 {
			best, answer = worth, name(row, col)
		}
	}
	return "bestshot " + answer
}

func main() {
	for in := bufio.NewScanner(os.Stdin); in.Scan() && in.Text() != "quit"; {
		fmt.Sscanf(in.Text(), "setoption name seed value %d", &seed)
		fmt.Sscanf(in.Text(), "newgame %dx%d %s", &rows, &cols, &fleet)
		rand.Seed(int64(seed + len(log)))
		switch word, _, _ := strings.Cut(in.Text(), " "); word {
		case "ubi":
			fmt.Println("id name hunter-go\noption name seed type spin default 0\nubiok")
		case "place":
			rand.Seed(int64(seed))
			fmt.Println(place())
		case "position":
			log = in.Text()
		case "go":
			fmt.Println(shoot())
		}
	}
}
