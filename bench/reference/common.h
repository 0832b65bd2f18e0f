/* What the three games share: the six colours, cards counted by colour, random numbers.
 *
 * These programs are the reference for the speed of the compiled rules: the rules of
 * src/mandala/games in plain C, function by function, on the same records. A change to a rule is
 * made here too; tests/core/test_benchmark.py plays both and compares. The move lists are written
 * by move_lists.py.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLOUR_COUNT = 6, UNKNOWN = 6, CARD_KINDS = 7, ALL_COLOURS = 0x3F };
enum { CHANCE = 8, NOBODY = 9 };
enum { MAX_ROWS = 512 };

/* The number of cards in an area; `kinds` is COLOUR_COUNT, or CARD_KINDS where unknown ones are counted. */
static inline int count(const int8_t *cards, int kinds) {
    int cards_here = 0;
    for (int colour = 0; colour < kinds; colour++)
        cards_here += cards[colour];
    return cards_here;
}

static inline int smaller(int one, int other) {
    return one < other ? one : other;
}

/* Take cards of a colour away: those known to be here first, the rest from the unknown. */
static inline void take(int8_t *cards, int colour, int number) {
    int known = colour != UNKNOWN ? smaller(cards[colour], number) : 0;
    cards[colour] -= known;
    cards[UNKNOWN] -= number - known;
}

/* A random number from 0 to limit - 1 (SplitMix64). */
static inline int64_t random_below(uint64_t *generator, int64_t limit) {
    uint64_t bits = *generator += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    bits ^= bits >> 31;
    return (int64_t)(((bits >> 32) * (uint64_t)limit) >> 32);
}
