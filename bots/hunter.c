// A Battleship bot in C that speaks UBI (docs/ubi.md): fires around hits, and otherwise at random on a pattern.
// Build it with: cc -O2 -o hunter-c hunter.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rows, cols, fleet[128], ships, apart;
static char state[66][66], blocked[66][66], line[1 << 17];  // a frame of one cell around the board

static void name(int row, int col) {  // rows and columns from 1
    if (row > 26) putchar('A' + (row - 1) / 26 - 1);
    printf("%c%d", 'A' + (row - 1) % 26, col);
}

static void place(void) {  // puts ships where they fit, and starts over when one doesn't
    int at[128][4];
    memset(blocked, 0, sizeof blocked);
    for (int n = 0, tries = 0; n < ships; tries++) {
        if (tries > 1000) { n = tries = 0; memset(blocked, 0, sizeof blocked); }
        int down = rand() % 2, row = 1 + rand() % rows, col = 1 + rand() % cols, fits = 1;
        int bottom = row + down * (fleet[n] - 1), right = col + !down * (fleet[n] - 1);
        if (bottom > rows || right > cols) continue;
        for (int r = row; r <= bottom; r++) for (int c = col; c <= right; c++) fits &= !blocked[r][c];
        if (!fits) continue;
        for (int r = row - apart; r <= bottom + apart; r++) for (int c = col - apart; c <= right + apart; c++) blocked[r][c] = 1;
        memcpy(at[n++], (int[]){row, col, bottom, right}, sizeof at[0]);
    }
    printf("layout");
    for (int n = 0; n < ships; n++) { putchar(' '); name(at[n][0], at[n][1]); if (fleet[n] > 1) { putchar('-'); name(at[n][2], at[n][3]); } }
    puts("");
}

static void shoot(void) {
    int shortest = 64, best = -1, number = 0, shot[2] = {1, 1};
    for (int n = 0; n < ships; n++) if (fleet[n] < shortest) shortest = fleet[n];
    for (int r = 1; r <= rows; r++) for (int c = 1; c <= cols; c++) {
        if (state[r][c]) continue;
        int near = state[r - 1][c] == '+' || state[r + 1][c] == '+' || state[r][c - 1] == '+' || state[r][c + 1] == '+';
        int worth = near ? 2 : (r + c) % shortest == 0;
        if (worth > best) { best = worth; number = 0; }
        if (worth == best && rand() % ++number == 0) { shot[0] = r; shot[1] = c; }
    }
    printf("bestshot "); name(shot[0], shot[1]); puts("");
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *word = strtok(line, " \n\r"), *next;
        if (!word) continue;
        if (!strcmp(word, "ubi")) puts("id name hunter-c\noption name seed type spin default 0\nubiok");
        else if (!strcmp(word, "setoption") && (strtok(NULL, " "), next = strtok(NULL, " ")) && !strcmp(next, "seed")) {
            strtok(NULL, " "); if ((next = strtok(NULL, " \n"))) srand((unsigned)strtoull(next, NULL, 10));
        } else if (!strcmp(word, "newgame")) {
            if ((next = strtok(NULL, " "))) sscanf(next, "%dx%d", &rows, &cols);
            next = strtok(NULL, " "); ships = 0;
            char *touch = strtok(NULL, " ");
            apart = touch && strcmp(touch, "allowed"); memset(state, 0, sizeof state);
            for (char *n = strtok(next, ","); n; n = strtok(NULL, ",")) fleet[ships++] = atoi(n);
        } else if (!strcmp(word, "place")) place();
        else if (!strcmp(word, "position")) {
            for (memset(state, 0, sizeof state); (next = strtok(NULL, " \n\r"));) {
                int row = 0; while (*next >= 'A') row = row * 26 + *next++ - 'A' + 1;
                int col = (int)strtol(next, &next, 10); state[row][col] = *next == '-' ? '-' : '+';
            }
        } else if (!strcmp(word, "go")) shoot();
        else if (!strcmp(word, "quit")) break;
    }
}
