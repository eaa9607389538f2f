/* Solvers for the tests of the protocol `library`: one that is right, and others that fail in some way. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LOAD_MICROSECONDS
#include <unistd.h>

/* Loading the library takes this long. */
__attribute__((constructor)) static void load_slowly(void) {
    usleep(LOAD_MICROSECONDS);
}
#endif

static size_t placed;

static int fits(const char *cells, int at, char digit) {
    int row = at / 9, column = at % 9;
    for (int i = 0; i < 9; i++) {
        int in_box = (row / 3 * 3 + i / 3) * 9 + column / 3 * 3 + i % 3;
        if (cells[row * 9 + i] == digit || cells[i * 9 + column] == digit || cells[in_box] == digit)
            return 0;
    }
    return 1;
}

/* Returns the number of solutions, up to `limit`. If `limit` is 1, `cells` then holds the solution. */
static size_t search(char *cells, int at, size_t limit) {
    size_t found = 0;
    while (at < 81 && cells[at] != '.')
        at++;
    if (at == 81)
        return 1;
    for (char digit = '1'; digit <= '9' && found < limit; digit++) {
        if (!fits(cells, at, digit))
            continue;
        placed++;
        cells[at] = digit;
        found += search(cells, at + 1, limit - found);
        if (found == limit)
            return found;
    }
    cells[at] = '.';
    return found;
}

static size_t answer(const char *in, size_t limit, char *out) {
    char cells[81];
    if (in[81] != 0)
        abort();
    memcpy(cells, in, 81);
    placed = 0;
    size_t found = search(cells, 0, limit);
    if (limit == 1 && found == 1)
        memcpy(out, cells, 81);
    return found;
}

/* A right solver. If `flags` is not 0, it reports `flags` as the number of guesses. */
size_t solve(const char *in, size_t limit, uint32_t flags, char *out, size_t *guesses) {
    size_t found = answer(in, limit, out);
    *guesses = flags ? flags : placed;
    return found;
}

/* A right solver that reports no guesses and prints a line to standard output. */
size_t prints(const char *in, size_t limit, uint32_t flags, char *out, size_t *guesses) {
    (void)flags, (void)guesses;
    printf("solving %.81s\n", in);
    return answer(in, limit, out);
}

size_t wrong(const char *in, size_t limit, uint32_t flags, char *out, size_t *guesses) {
    (void)flags, (void)guesses;
    size_t found = answer(in, limit, out);
    if (limit == 1)
        out[0] = out[0] == '1' ? '2' : '1';
    return found;
}

/* Writes no solution. */
size_t forgets(const char *in, size_t limit, uint32_t flags, char *out, size_t *guesses) {
    (void)flags, (void)guesses, (void)out;
    char ignored[81];
    return answer(in, limit, ignored);
}

size_t crashes(const char *in, size_t limit, uint32_t flags, char *out, size_t *guesses) {
    (void)in, (void)limit, (void)flags, (void)out, (void)guesses;
    abort();
}

size_t leaves(const char *in, size_t limit, uint32_t flags, char *out, size_t *guesses) {
    (void)in, (void)limit, (void)flags, (void)out, (void)guesses;
    exit(0);
}

/* Never ends on a puzzle that begins with a blank. */
size_t hangs(const char *in, size_t limit, uint32_t flags, char *out, size_t *guesses) {
    (void)flags, (void)guesses;
    for (volatile int forever = in[0] == '.'; forever;)
        ;
    return answer(in, limit, out);
}
