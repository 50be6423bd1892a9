// A Battleship bot in Go that speaks UBI (docs/ubi.md): fires around hits, and otherwise at random on every second cell.
// Build it with: go build -o hunter-go hunter.go
package main

import ( "bufio"; "fmt"; "math/rand"; "os"; "strings" )

var rows, cols, length int
var fleet, touch, hit = "", "", map[string]bool{} // hit: the cells fired at, and whether a ship was there

func name(row, col int) string { // from row 27 on there are two letters
	return fmt.Sprintf("%s%c%d", strings.Trim(string(rune('@'+row/26)), "@"), 'A'+row%26, col+1)
}

func cells(top, left, bottom, right int) (list []string) {
	for r := top; r <= bottom; r++ { for c := left; c <= right; c++ { list = append(list, name(r, c)) } }
	return list
}

func place() string { // puts ships where they fit, and starts over when one doesn't
	taken, apart, layout, next := map[string]bool{}, map[bool]int{true: 0, false: 1}[touch == "allowed"], "layout", strings.Split(fleet, ",")
	for tries := 0; len(next) > 0 && tries < 1000; tries++ {
		fmt.Sscan(next[0], &length)
		row, col, down := rand.Intn(rows), rand.Intn(cols), rand.Intn(2)
		bottom, right := row+down*(length-1), col+(1-down)*(length-1)
		fits := bottom < rows && right < cols
		for _, cell := range cells(row, col, bottom, right) { fits = fits && !taken[cell] }
		if fits {
			for _, cell := range cells(row-apart, col-apart, bottom+apart, right+apart) { taken[cell] = true }
			layout, next = layout+" "+name(row, col)+"-"+name(bottom, right), next[1:]
		}
	}
	if len(next) > 0 { return place() }
	return layout
}

func shoot() (shot string) {
	best := -1
	for i := 0; i < rows*cols; i++ {
		r, c := i/cols, i%cols
		worth := (r+c)%2*1024 + rand.Intn(1024)
		if hit[name(r-1, c)] || hit[name(r+1, c)] || hit[name(r, c-1)] || hit[name(r, c+1)] { worth += 2048 }
		if _, fired := hit[name(r, c)]; !fired && worth > best { best, shot = worth, "bestshot "+name(r, c) }
	}
	return shot
}

func main() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch words := append(strings.Fields(in.Text()), "", "", "", "", ""); words[0] {
		case "ubi": fmt.Println("id name hunter-go\noption name seed type spin default 0\nubiok")
		case "setoption": var seed uint64; fmt.Sscan(words[4], &seed); rand.Seed(int64(seed))
		case "newgame": fmt.Sscanf(words[1], "%dx%d", &rows, &cols); fleet, touch, hit = words[2], words[3], nil
		case "position": hit = map[string]bool{}; for _, shot := range words[1:] { if i := strings.IndexAny(shot, "-+#"); i > 0 { hit[shot[:i]] = shot[i] != '-' } }
		case "place": fmt.Println(place())
		case "go": fmt.Println(shoot())
		case "quit": return
		}
	}
}
