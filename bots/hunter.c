// A Battleship bot in C that speaks UBI (docs/ubi.md): fires around hits, and otherwise at random on every second cell.
// Build it with: cc -O2 -o hunter-c hunter.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define EACH(top, left, bottom, right) for (int r = top; r <= (bottom); r++) for (int c = left; c <= (right); c++)

int rows, cols;
char board[130][130], line[1 << 17], fleet[1 << 14], touch[10], answer[1 << 17], *end;  // rows and columns count from 1

int is(const char *word) { return !strncmp(line, word, strlen(word)) && strchr(" \r\n", line[strlen(word)]); }

void say(const char *before, int row, int col) {
    end += sprintf(end, "%s%.*s%c%d", before, row > 26, (char[]){'@' + (row - 1) / 26}, 'A' + (row - 1) % 26, col);
}

void place(void) {  // puts ships where they fit, and starts over when one doesn't
    int tries = 1000, apart = strcmp(touch, "allowed") != 0;
    for (char *next = fleet; next && *next; tries++) {
        if (tries == 1000) { tries = 0; next = fleet; memset(board, 0, sizeof board); end = answer + sprintf(answer, "layout"); }
        int down = rand() % 2, top = 1 + rand() % rows, left = 1 + rand() % cols, taken = 0;
        int bottom = top + down * (atoi(next) - 1), right = left + !down * (atoi(next) - 1);
        EACH(top, left, bottom, right) taken |= board[r][c] || r > rows || c > cols;
        if (taken) continue;
        EACH(top - apart, left - apart, bottom + apart, right + apart) board[r][c] = 1;
        say(" ", top, left), say("-", bottom, right);
        if ((next = strchr(next, ','))) next++;
    }
}

void shoot(void) {
    int best = -1, row = 1, col = 1;
    EACH(1, 1, rows, cols) {
        int near = board[r - 1][c] == '+' || board[r + 1][c] == '+' || board[r][c - 1] == '+' || board[r][c + 1] == '+';
        int worth = (near ? 2 : (r + c) % 2) * 1024 + rand() % 1024;
        if (!board[r][c] && worth > best) best = worth, row = r, col = c;
    }
    end = answer, say("bestshot ", row, col);
}

int main(void) {
    for (unsigned long long seed; fgets(line, sizeof line, stdin) && !is("quit"); fflush(stdout)) {
        if (is("ubi")) puts("id name hunter-c\noption name seed type spin default 0\nubiok");
        if (sscanf(line, "setoption name seed value %llu", &seed) == 1) srand((unsigned)seed);
        if (is("newgame")) sscanf(line, "newgame %dx%d %16000s %9s", &rows, &cols, fleet, touch);
        if (is("place")) place(), puts(answer);
        if (is("go")) shoot(), puts(answer);
        if (!is("position")) continue;
        memset(board, 0, sizeof board);
        for (char *shot = strtok(line + 8, " \r\n"); shot; shot = strtok(NULL, " \r\n")) {
            int row = 0, col;
            while (*shot >= 'A') row = row * 26 + *shot++ - '@';
            col = (int)strtol(shot, &shot, 10), board[row][col] = *shot == '-' ? '-' : '+';
        }
    }
}
