// A Battleship bot that speaks UBI (docs/ubi.md): fires next to hits, otherwise on every second cell.
// Build it with: cc -O2 -o hunter-c hunter.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Rows and columns count from 1, up to row 26. On the board 1 is a miss or no place for a ship, 2 a hit.
int rows, cols;
char line[1 << 16], fleet[999], layout[2000], board[99][99];

int place(char *next, char *end) {  // gives up when a ship doesn't fit
    memset(board, 0, sizeof board);
    for (int last; (last = strtol(next, &next, 10) - 1) >= 0; next += *next == ',') {
        int down = rand() % 2, top = 1 + rand() % rows, left = 1 + rand() % cols;
        int bottom = top + down * last, right = left + !down * last, taken = bottom > rows || right > cols;
        for (int i = 0; i <= last; i++) taken |= board[top + down * i][left + !down * i];
        if (taken) return 0;
        for (int r = top - 1; r <= bottom + 1; r++) memset(board[r] + left - 1, 1, right - left + 3);
        end += sprintf(end, " %c%d-%c%d", '@' + top, left, '@' + bottom, right);
    }
    return printf("layout%s\n", layout);
}

void shoot(void) {
    int best = -1, cell = 0;
    for (int i = 0; i < rows * cols; i++) {
        int r = i / cols + 1, c = i % cols + 1;
        int near = (board[r - 1][c] | board[r + 1][c] | board[r][c - 1] | board[r][c + 1]) & 2;
        int worth = (near ? 2 : (r + c) % 2) * 1024 + rand() % 1024;
        if (!board[r][c] && worth > best) best = worth, cell = i;
    }
    printf("bestshot %c%d\n", 'A' + cell / cols, cell % cols + 1);
}

int main(void) {
    for (unsigned seed; fgets(line, sizeof line, stdin) && strcmp(line, "quit\n"); fflush(stdout)) {
        if (!strcmp(line, "ubi\n")) puts("id name hunter-c\noption name seed type spin default 0\nubiok");
        if (sscanf(line, "setoption name seed value %u", &seed) == 1) srand(seed);
        sscanf(line, "newgame %dx%d %998s", &rows, &cols, fleet);
        while (!strncmp(line, "place", 5) && !place(fleet, layout)) continue;
        if (!strncmp(line, "go ", 3)) shoot();
        if (strncmp(line, "position", 8)) continue;
        memset(board, 0, sizeof board);
        for (char *shot = strtok(line + 8, " \n"); shot; shot = strtok(NULL, " \n"))
            board[*shot - '@'][atoi(shot + 1)] = strchr(shot, '-') ? 1 : 2;
    }
}
