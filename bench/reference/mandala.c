/* The rules of Mandala: src/mandala/games/mandala/rules.py in C. */

#include "common.h"

enum { MANDALAS = 2, COPIES = 18, HAND_LIMIT = 8, CENTRE_DRAW = 3, REFILL = 2 };
enum { DISCARDS_TO_END = 40 };

/* What `phase` can be. */
enum { SETUP, ACTION, DRAW, DISSOLVE, REFILLING, OVER };

/* Kinds of moves. */
enum { CENTRE, FIELD, DISCARD, TAKE, CARD };

/* Where the cards of the setup go, in the order they are drawn. */
enum { TO_CENTRE_1, TO_CENTRE_2, TO_HAND_1, TO_CUP_1, TO_HAND_2, TO_CUP_2 };
enum { SETUP_COUNT = 20 };
static const uint8_t SETUP_DRAWS[SETUP_COUNT] = {
    TO_CENTRE_1, TO_CENTRE_1, TO_CENTRE_2, TO_CENTRE_2, TO_HAND_1, TO_HAND_1, TO_HAND_1,
    TO_HAND_1,   TO_HAND_1,   TO_HAND_1,   TO_CUP_1,    TO_CUP_1,  TO_HAND_2, TO_HAND_2,
    TO_HAND_2,   TO_HAND_2,   TO_HAND_2,   TO_HAND_2,   TO_CUP_2,  TO_CUP_2,
};

typedef struct {
    uint8_t phase;
    uint8_t actor;
    uint8_t turn;
    uint8_t mandala;
    uint8_t draws;
    uint8_t last_phase;
    uint8_t discards;
    int8_t centre[MANDALAS][COLOUR_COUNT];
    int8_t field[2][MANDALAS][COLOUR_COUNT];
    uint8_t river[2][COLOUR_COUNT];
    int8_t cup[2][COLOUR_COUNT];
    int8_t secret[2][CARD_KINDS];
    int8_t hand[2][CARD_KINDS];
    int8_t discard[COLOUR_COUNT];
    int8_t pile[CARD_KINDS];
    uint8_t shuffles;
    int8_t drawn[2][CARD_KINDS];
} State;

#include "mandala_moves.h"

static void begin(State *state, int seats) {
    (void)seats;
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        state->pile[colour] = COPIES;
    state->phase = SETUP;
    state->actor = CHANCE;
    state->draws = SETUP_COUNT;
}

/* What is legal */

static bool fits_centre(const State *state, int mandala, int colour) {
    return state->field[0][mandala][colour] == 0 && state->field[1][mandala][colour] == 0;
}

static bool fits_field(const State *state, int seat, int mandala, int colour) {
    return state->centre[mandala][colour] == 0 && state->field[1 - seat][mandala][colour] == 0;
}

static bool are_piles_empty(const State *state) {
    return count(state->pile, CARD_KINDS) == 0 && count(state->discard, COLOUR_COUNT) == 0;
}

static int legal_takes(const State *state, int16_t *rows) {
    int found = 0;
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        if (state->centre[state->mandala][colour] > 0)
            rows[found++] = TAKE_ROW[colour];
    return found;
}

static int legal(const State *state, int16_t *rows) {
    if (state->phase == DISSOLVE)
        return legal_takes(state, rows);
    if (state->phase != ACTION)
        return 0;
    int seat = state->actor;
    int cards = count(state->hand[seat], CARD_KINDS);
    bool may_play_last = cards > 1 || !are_piles_empty(state);
    int unknown = state->hand[seat][UNKNOWN];
    int found = 0;
    for (int colour = 0; colour < COLOUR_COUNT; colour++) {
        int held = state->hand[seat][colour] + unknown;
        if (held == 0)
            continue;
        for (int mandala = 0; mandala < MANDALAS; mandala++) {
            if (may_play_last && fits_centre(state, mandala, colour))
                rows[found++] = CENTRE_ROW[mandala][colour];
            if (fits_field(state, seat, mandala, colour)) {
                int most = smaller(held, cards - 1);
                for (int number = 1; number <= most; number++)
                    rows[found++] = FIELD_ROW[mandala][colour][number];
            }
        }
        for (int number = 1; number <= held; number++)
            rows[found++] = DISCARD_ROW[colour][number];
    }
    return found;
}

static int chance(const State *state, int16_t *rows, int64_t *weights) {
    int found = 0;
    for (int colour = 0; colour < CARD_KINDS; colour++)
        if (state->pile[colour] > 0) {
            rows[found] = CARD_ROW[colour];
            weights[found] = state->pile[colour];
            found++;
        }
    return found;
}

/* The end */

static void end_game(State *state) {
    state->phase = OVER;
    state->actor = NOBODY;
}

static bool is_used_up(const State *state, int colour) {
    int laid = state->centre[0][colour] + state->centre[1][colour];
    for (int seat = 0; seat < 2; seat++) {
        laid += state->field[seat][0][colour] + state->field[seat][1][colour];
        laid += state->cup[seat][colour] + state->secret[seat][colour];
        if (state->river[seat][colour] > 0)
            laid++;
    }
    return laid == COPIES;
}

static bool is_dead(const State *state) {
    for (int mandala = 0; mandala < MANDALAS; mandala++) {
        bool lacks = false;
        for (int colour = 0; colour < COLOUR_COUNT; colour++)
            if (state->pile[colour] <= 0 && is_used_up(state, colour))
                if (state->centre[mandala][colour] == 0 && state->field[0][mandala][colour] == 0 &&
                    state->field[1][mandala][colour] == 0)
                    lacks = true;
        if (!lacks)
            return false;
    }
    return true;
}

static void end_turn(State *state) {
    if (state->discards >= DISCARDS_TO_END || is_dead(state)) {
        end_game(state);
        return;
    }
    state->turn = 1 - state->turn;
    state->actor = state->turn;
    state->phase = ACTION;
}

/* Drawing */

static void shuffle_discard_pile(State *state) {
    if (count(state->discard, COLOUR_COUNT) == 0)
        return;
    state->shuffles = 1 + state->shuffles % 2;
    state->pile[UNKNOWN] = 0;
    for (int colour = 0; colour < COLOUR_COUNT; colour++) {
        state->pile[colour] = state->discard[colour];
        state->discard[colour] = 0;
    }
    for (int colour = 0; colour < CARD_KINDS; colour++) {
        state->drawn[0][colour] = 0;
        state->drawn[1][colour] = 0;
    }
}

static bool start_draw(State *state) {
    if (state->draws > 0 && count(state->pile, CARD_KINDS) == 0)
        shuffle_discard_pile(state);
    if (state->draws == 0 || count(state->pile, CARD_KINDS) == 0) {
        state->draws = 0;
        return false;
    }
    state->actor = CHANCE;
    return true;
}

static void continue_refill(State *state) {
    if (!start_draw(state))
        end_turn(state);
}

/* Completion and dissolving */

static int river_length(const State *state, int seat) {
    int length = 0;
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        if (state->river[seat][colour] > 0)
            length++;
    return length;
}

static void clear_fields(State *state) {
    if (state->last_phase || river_length(state, 0) == COLOUR_COUNT ||
        river_length(state, 1) == COLOUR_COUNT) {
        end_game(state);
        return;
    }
    for (int seat = 0; seat < 2; seat++)
        for (int colour = 0; colour < COLOUR_COUNT; colour++) {
            state->discard[colour] += state->field[seat][state->mandala][colour];
            state->field[seat][state->mandala][colour] = 0;
        }
    state->phase = REFILLING;
    state->draws = REFILL;
    continue_refill(state);
}

static int colours_in(const State *state, int mandala) {
    int present = 0;
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        if (state->centre[mandala][colour] + state->field[0][mandala][colour] +
                state->field[1][mandala][colour] > 0)
            present |= 1 << colour;
    return present;
}

static void check_completion(State *state) {
    int mandala = state->mandala;
    if (colours_in(state, mandala) != ALL_COLOURS) {
        end_turn(state);
        return;
    }
    int seat = state->turn;
    int own_cards = count(state->field[seat][mandala], COLOUR_COUNT);
    int other_cards = count(state->field[1 - seat][mandala], COLOUR_COUNT);
    state->actor = own_cards > other_cards ? seat : 1 - seat;
    state->phase = DISSOLVE;
    if (count(state->centre[mandala], COLOUR_COUNT) == 0)
        clear_fields(state);
}

static void take_colour(State *state, int colour) {
    int seat = state->actor, mandala = state->mandala;
    int number = state->centre[mandala][colour];
    state->centre[mandala][colour] = 0;
    if (count(state->field[seat][mandala], COLOUR_COUNT) == 0) {
        state->discard[colour] += number;
    } else {
        if (state->river[seat][colour] == 0) {
            state->river[seat][colour] = river_length(state, seat) + 1;
            number--;
        }
        state->cup[seat][colour] += number;
    }
    state->actor = 1 - seat;
    if (count(state->centre[mandala], COLOUR_COUNT) == 0)
        clear_fields(state);
}

/* Moves */

static void continue_draw(State *state) {
    if (start_draw(state))
        return;
    if (state->discards > 0)
        end_turn(state);
    else
        check_completion(state);
}

static void deal_setup_card(State *state, int colour) {
    switch (SETUP_DRAWS[SETUP_COUNT - state->draws]) {
    case TO_CENTRE_1: state->centre[0][colour]++; break;
    case TO_CENTRE_2: state->centre[1][colour]++; break;
    case TO_HAND_1: state->hand[0][colour]++; break;
    case TO_CUP_1: state->secret[0][colour]++; break;
    case TO_HAND_2: state->hand[1][colour]++; break;
    default: state->secret[1][colour]++;
    }
}

static void draw(State *state, int colour) {
    take(state->pile, colour, 1);
    if (state->phase == DRAW) {
        state->hand[state->turn][colour]++;
        if (state->shuffles > 0)
            state->drawn[state->turn][colour]++;
    } else if (state->phase == REFILLING) {
        state->centre[state->mandala][colour]++;
    } else {
        deal_setup_card(state, colour);
    }
    state->draws--;
    if (count(state->pile, CARD_KINDS) == 0) {
        state->last_phase = 1;
        shuffle_discard_pile(state);
    }
    if (state->phase == DRAW) {
        continue_draw(state);
    } else if (state->phase == REFILLING) {
        continue_refill(state);
    } else if (state->draws == 0) {
        state->phase = ACTION;
        state->actor = 0;
    }
}

static void play_to_centre(State *state, int mandala, int colour) {
    take(state->hand[state->turn], colour, 1);
    state->centre[mandala][colour]++;
    state->mandala = mandala;
    state->discards = 0;
    state->draws = smaller(CENTRE_DRAW, HAND_LIMIT - count(state->hand[state->turn], CARD_KINDS));
    state->phase = DRAW;
    continue_draw(state);
}

static void play_to_field(State *state, int mandala, int colour, int number) {
    take(state->hand[state->turn], colour, number);
    state->field[state->turn][mandala][colour] += number;
    state->mandala = mandala;
    state->discards = 0;
    check_completion(state);
}

static void discard_cards(State *state, int colour, int number) {
    take(state->hand[state->turn], colour, number);
    state->discard[colour] += number;
    state->discards++;
    state->draws = number;
    state->phase = DRAW;
    continue_draw(state);
}

static void apply(State *state, int move) {
    switch (KIND[move]) {
    case CARD: draw(state, COLOUR[move]); break;
    case CENTRE: play_to_centre(state, MANDALA[move], COLOUR[move]); break;
    case FIELD: play_to_field(state, MANDALA[move], COLOUR[move], COUNT[move]); break;
    case DISCARD: discard_cards(state, COLOUR[move], COUNT[move]); break;
    default: take_colour(state, COLOUR[move]);
    }
}

#include "loop.h"
