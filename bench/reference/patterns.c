/* The rules of Patterns: src/mandala/games/patterns/rules.py in C. */

#include "common.h"

enum { COPIES_ON_UNMARKED = 8, NO_COLOUR = 6, UNMARKED_COUNT = 48, SETUP_COUNT = 52 };

static const uint64_t BOARD = 0x3C7EFFFFFFFF7E3Cu;
static const uint64_t NOT_FILE_A = 0xFEFEFEFEFEFEFEFEu;
static const uint64_t NOT_FILE_H = 0x7F7F7F7F7F7F7F7Fu;

/* What `phase` can be. */
enum { SETUP, GIVING, ACTION, LAST_FLIPS, OVER };

/* Kinds of moves. */
enum { GIVE, OPEN, FLIP, SWAP, STOP, TILE };

typedef struct __attribute__((packed)) { /* as the record is: no padding */
    uint64_t tile[COLOUR_COUNT];
    uint64_t group[2][COLOUR_COUNT];
    uint8_t phase;
    uint8_t actor;
    uint8_t laid;
    uint8_t supply[COLOUR_COUNT];
    uint8_t aside[COLOUR_COUNT];
    uint8_t bowl[2];
    uint8_t river[2][COLOUR_COUNT];
    uint8_t marker[2][COLOUR_COUNT];
} State;

#include "patterns_moves.h"

static void begin(State *state, int seats) {
    (void)seats;
    for (int colour = 0; colour < COLOUR_COUNT; colour++) {
        state->supply[colour] = COPIES_ON_UNMARKED;
        state->aside[colour] = 1;
    }
    state->bowl[0] = NO_COLOUR;
    state->bowl[1] = NO_COLOUR;
    state->phase = SETUP;
    state->actor = CHANCE;
}

/* Sets of spaces */

static uint64_t neighbours(uint64_t spaces) {
    uint64_t sideways = ((spaces << 1) & NOT_FILE_A) | ((spaces >> 1) & NOT_FILE_H);
    return (sideways | (spaces << 8) | (spaces >> 8)) & BOARD;
}

static uint64_t neighbours_of_same_colour(const State *state, uint64_t spaces) {
    uint64_t like_left = 0, like_below = 0;
    for (int colour = 0; colour < COLOUR_COUNT; colour++) {
        uint64_t tiles = state->tile[colour];
        like_left |= tiles & (tiles << 1) & NOT_FILE_A;
        like_below |= tiles & (tiles << 8);
    }
    uint64_t sideways = ((spaces << 1) & like_left) | ((spaces & like_left) >> 1);
    return sideways | ((spaces << 8) & like_below) | ((spaces & like_below) >> 8);
}

static uint64_t backs(const State *state, int seat) {
    uint64_t spaces = 0;
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        spaces |= state->group[seat][colour];
    return spaces;
}

static uint64_t fronts(const State *state) {
    return BOARD & ~(backs(state, 0) | backs(state, 1));
}

static uint64_t blocked_spaces(const State *state, int seat, int colour) {
    return neighbours(state->group[1 - seat][colour]);
}

/* What is legal */

static uint64_t open_spaces(const State *state, int seat) {
    int colour = state->bowl[seat];
    if (state->river[seat][colour] > 0)
        return 0;
    return fronts(state) & ~blocked_spaces(state, seat, colour);
}

static uint64_t flip_spaces(const State *state, int seat) {
    uint64_t beside = neighbours_of_same_colour(state, backs(state, seat));
    return beside & ~neighbours_of_same_colour(state, backs(state, 1 - seat)) & fronts(state);
}

static uint64_t swap_spaces(const State *state, int seat) {
    int colour = state->bowl[seat];
    if (state->river[seat][colour] == 0)
        return 0;
    uint64_t beside = neighbours(state->group[seat][colour]) & ~blocked_spaces(state, seat, colour);
    return beside & fronts(state) & ~state->tile[colour];
}

static bool has_action(const State *state, int seat) {
    return open_spaces(state, seat) != 0 || swap_spaces(state, seat) != 0 ||
           flip_spaces(state, seat) != 0;
}

static int list_spaces(uint64_t spaces, const int16_t *row_of_space, int16_t *rows, int found) {
    while (spaces != 0) {
        rows[found++] = row_of_space[__builtin_ctzll(spaces)];
        spaces &= spaces - 1;
    }
    return found;
}

static int legal_gifts(const State *state, int16_t *rows) {
    int found = 0;
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        if (state->aside[colour] > 0)
            rows[found++] = GIVE_ROW[colour];
    return found;
}

static int legal(const State *state, int16_t *rows) {
    if (state->phase == GIVING)
        return legal_gifts(state, rows);
    if (state->phase == ACTION) {
        int seat = state->actor;
        uint64_t opens = open_spaces(state, seat), flips = flip_spaces(state, seat);
        uint64_t swaps = swap_spaces(state, seat);
        int found = list_spaces(opens, OPEN_ROW, rows, 0);
        found = list_spaces(flips, FLIP_ROW, rows, found);
        return list_spaces(swaps, SWAP_ROW, rows, found);
    }
    if (state->phase == LAST_FLIPS) {
        int found = list_spaces(flip_spaces(state, state->actor), FLIP_ROW, rows, 0);
        rows[found] = STOP_ROW;
        return found + 1;
    }
    return 0;
}

static int chance(const State *state, int16_t *rows, int64_t *weights) {
    int found = 0;
    for (int colour = 0; colour < COLOUR_COUNT; colour++) {
        int tiles = state->laid < UNMARKED_COUNT ? state->supply[colour] : state->aside[colour];
        if (tiles > 0) {
            rows[found] = TILE_ROW[colour];
            weights[found] = tiles;
            found++;
        }
    }
    return found;
}

/* The end */

static void end_game(State *state) {
    state->phase = OVER;
    state->actor = NOBODY;
}

static void continue_last_flips(State *state) {
    if (flip_spaces(state, state->actor) == 0)
        end_game(state);
}

static void end_turn(State *state) {
    int other = 1 - state->actor;
    if (has_action(state, other)) {
        state->actor = other;
    } else {
        state->phase = LAST_FLIPS;
        continue_last_flips(state);
    }
}

/* Moves */

static void lay_tile(State *state, int colour) {
    state->tile[colour] |= (uint64_t)1 << SETUP_ORDER[state->laid];
    if (state->laid < UNMARKED_COUNT)
        state->supply[colour]--;
    else
        state->aside[colour]--;
    state->laid++;
    if (state->laid == SETUP_COUNT) {
        state->phase = GIVING;
        state->actor = 1;
    }
}

static void give(State *state, int gift) {
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        if (state->aside[colour] > 0) {
            state->bowl[colour == gift ? 0 : 1] = colour;
            state->aside[colour] = 0;
        }
    state->phase = ACTION;
    state->actor = 0;
}

static int colour_at(const State *state, uint64_t space) {
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        if ((state->tile[colour] & space) != 0)
            return colour;
    return NO_COLOUR;
}

static int exchange(State *state, int seat, uint64_t space) {
    int placed = state->bowl[seat], taken = colour_at(state, space);
    state->tile[taken] &= ~space;
    state->tile[placed] |= space;
    state->group[seat][placed] |= space;
    state->bowl[seat] = taken;
    return placed;
}

static void open_group(State *state, int where) {
    int seat = state->actor;
    int number = 1;
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        if (state->river[seat][colour] > 0)
            number++;
    int colour = exchange(state, seat, (uint64_t)1 << where);
    state->river[seat][colour] = number;
    state->marker[seat][colour] = where;
    end_turn(state);
}

static void flip(State *state, int where) {
    uint64_t space = (uint64_t)1 << where;
    state->group[state->actor][colour_at(state, space)] |= space;
    if (state->phase == ACTION)
        end_turn(state);
    else
        continue_last_flips(state);
}

static void swap(State *state, int where) {
    exchange(state, state->actor, (uint64_t)1 << where);
    end_turn(state);
}

static void apply(State *state, int move) {
    switch (KIND[move]) {
    case OPEN: open_group(state, SPACE[move]); break;
    case FLIP: flip(state, SPACE[move]); break;
    case SWAP: swap(state, SPACE[move]); break;
    case TILE: lay_tile(state, COLOUR[move]); break;
    case GIVE: give(state, COLOUR[move]); break;
    default: end_game(state);
    }
}

#include "loop.h"
