/* The rules of Flowers: src/mandala/games/flowers/rules.py in C. */

#include "common.h"

enum { MAX_SEATS = 4, MANDALAS = 3, COPIES = 15, HAND_LIMIT = 8, DRAW_LIMIT = 4, FIRST_HAND = 5 };
enum { FLOWERS_TO_END = 3 };
enum { VALUE_COUNT = 6, TILES = COLOUR_COUNT * VALUE_COUNT };
enum { DARK, LIGHT };
enum { FACE_UP, FACE_DOWN };
static const uint8_t BACK[COLOUR_COUNT] = {DARK, LIGHT, LIGHT, LIGHT, DARK, DARK};

/* What `phase` can be. */
enum { SETUP_TILES, SETUP_HANDS, ACTION, DRAW, CLAIM, NEW_TILES, ENDING, OVER };

/* Kinds of moves. */
enum { PLAY, CLAIM_TILE, PASS, CARD, TILE, NEXT_MANDALA };

/* Where a tile is, in `owner`; from FIRST_OWNER on, the seat that has it. */
enum { IN_STACK, IN_MANDALA, OUT_OF_PLAY, FIRST_OWNER };

typedef struct {
    uint8_t phase;
    uint8_t actor;
    uint8_t seats;
    uint8_t turn;
    uint8_t mandala;
    uint8_t draws;
    uint8_t passes;
    uint8_t ending;
    uint8_t shuffles;
    uint8_t marker[MANDALAS];
    uint8_t tile[MANDALAS][2];
    uint8_t owner[TILES];
    uint8_t partner[TILES];
    uint8_t flowers[MAX_SEATS];
    int8_t laid[MAX_SEATS][MANDALAS][2][COLOUR_COUNT];
    int8_t hand[MAX_SEATS][CARD_KINDS];
    int8_t discard[COLOUR_COUNT];
    int8_t pile[CARD_KINDS];
    int8_t shown[MAX_SEATS][COLOUR_COUNT];
    int8_t drawn[MAX_SEATS][CARD_KINDS];
} State;

#include "flowers_moves.h"

static void begin(State *state, int seats) {
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        state->pile[colour] = COPIES;
    state->seats = seats;
    state->phase = SETUP_TILES;
    state->actor = CHANCE;
    state->draws = 2;
}

static bool has_tiles(const State *state, int mandala) {
    return state->tile[mandala][DARK] > 0;
}

static int colour_of_tile(int tile) {
    return COLOUR[CLAIM_ROW[tile]];
}

/* What is legal */

static bool are_piles_empty(const State *state) {
    return count(state->pile, CARD_KINDS) == 0 && count(state->discard, COLOUR_COUNT) == 0;
}

static int legal_plays(const State *state, int seat, int16_t *rows) {
    int cards = count(state->hand[seat], CARD_KINDS);
    int unknown = state->hand[seat][UNKNOWN];
    int least = 1, most = cards - 1;
    if (cards == 1 && !are_piles_empty(state))
        most = 1;
    int found = 0;
    for (int mandala = 0; mandala < MANDALAS; mandala++) {
        if (!has_tiles(state, mandala))
            continue;
        for (int colour = 0; colour < COLOUR_COUNT; colour++) {
            int held = smaller(smaller(state->hand[seat][colour] + unknown, most), COPIES);
            for (int number = least; number <= held; number++)
                rows[found++] = PLAY_ROW[mandala][colour][number];
        }
    }
    return found;
}

static int legal(const State *state, int16_t *rows) {
    if (state->phase == ACTION) {
        int found = legal_plays(state, state->actor, rows);
        if (found > 0)
            return found;
        rows[0] = PASS_ROW;
        return 1;
    }
    if (state->phase == CLAIM) {
        rows[0] = CLAIM_ROW[state->tile[state->mandala][DARK] - 1];
        rows[1] = CLAIM_ROW[state->tile[state->mandala][LIGHT] - 1];
        return 2;
    }
    return 0;
}

static int chance_cards(const State *state, int16_t *rows, int64_t *weights) {
    int found = 0;
    for (int colour = 0; colour < CARD_KINDS; colour++)
        if (state->pile[colour] > 0) {
            rows[found] = CARD_ROW[colour];
            weights[found] = state->pile[colour];
            found++;
        }
    return found;
}

static int chance_tiles(const State *state, int16_t *rows, int64_t *weights) {
    int back = state->draws == 2 ? DARK : LIGHT;
    int found = 0;
    for (int tile = 0; tile < TILES; tile++)
        if (state->owner[tile] == IN_STACK && BACK[colour_of_tile(tile)] == back) {
            rows[found] = TILE_ROW[tile];
            weights[found] = 1;
            found++;
        }
    return found;
}

static int chance_mandalas(const State *state, int16_t *rows, int64_t *weights) {
    int found = 0;
    for (int mandala = 0; mandala < MANDALAS; mandala++)
        if (has_tiles(state, mandala)) {
            rows[found] = NEXT_ROW[mandala];
            weights[found] = 1;
            found++;
        }
    return found;
}

static int chance(const State *state, int16_t *rows, int64_t *weights) {
    if (state->phase == DRAW || state->phase == SETUP_HANDS)
        return chance_cards(state, rows, weights);
    if (state->phase == ENDING)
        return chance_mandalas(state, rows, weights);
    return chance_tiles(state, rows, weights);
}

/* The end */

static void dissolve_next(State *state) {
    for (int mandala = 0; mandala < MANDALAS; mandala++)
        if (has_tiles(state, mandala)) {
            state->phase = ENDING;
            state->actor = CHANCE;
            return;
        }
    state->phase = OVER;
    state->actor = NOBODY;
}

static void begin_ending(State *state) {
    state->ending = 1;
    dissolve_next(state);
}

static bool has_third_flower(const State *state) {
    for (int seat = 0; seat < state->seats; seat++)
        if (state->flowers[seat] >= FLOWERS_TO_END)
            return true;
    return false;
}

static void end_turn(State *state) {
    state->turn++;
    if (state->turn == state->seats) {
        state->turn = 0;
        if (has_third_flower(state)) {
            begin_ending(state);
            return;
        }
    }
    state->actor = state->turn;
    state->phase = ACTION;
}

/* Majority */

static int colours_in(const State *state, int mandala) {
    int present = 1 << colour_of_tile(state->tile[mandala][DARK] - 1);
    present |= 1 << colour_of_tile(state->tile[mandala][LIGHT] - 1);
    for (int seat = 0; seat < state->seats; seat++)
        for (int colour = 0; colour < COLOUR_COUNT; colour++)
            if (state->laid[seat][mandala][FACE_UP][colour] > 0)
                present |= 1 << colour;
    return present;
}

static int face_up_of(const State *state, int seat, int mandala) {
    return count(state->laid[seat][mandala][FACE_UP], COLOUR_COUNT);
}

static int cards_of(const State *state, int seat, int mandala) {
    return count(state->laid[seat][mandala][FACE_UP], COLOUR_COUNT) +
           count(state->laid[seat][mandala][FACE_DOWN], COLOUR_COUNT);
}

static void check_majority(State *state) {
    int seat = state->turn, mandala = state->mandala;
    if (face_up_of(state, seat, mandala) == 0)
        return;
    int cards = cards_of(state, seat, mandala);
    for (int other = 0; other < state->seats; other++)
        if (other != seat && face_up_of(state, other, mandala) > 0)
            if (cards_of(state, other, mandala) >= cards)
                return;
    state->marker[mandala] = seat + 1;
}

/* Dissolving */

static void clear_cards(State *state, int seat, bool take_back) {
    for (int side = 0; side < 2; side++)
        for (int colour = 0; colour < COLOUR_COUNT; colour++) {
            int number = state->laid[seat][state->mandala][side][colour];
            state->laid[seat][state->mandala][side][colour] = 0;
            if (take_back) {
                state->hand[seat][colour] += number;
                state->shown[seat][colour] += number;
            } else {
                state->discard[colour] += number;
            }
        }
}

static bool is_replaced(const State *state) {
    return !has_third_flower(state);
}

static int tiles_left(const State *state) {
    int left = 0;
    for (int tile = 0; tile < TILES; tile++)
        if (state->owner[tile] == IN_STACK)
            left++;
    return left;
}

static void remove_mandala(State *state) {
    state->marker[state->mandala] = 0;
    state->tile[state->mandala][DARK] = 0;
    state->tile[state->mandala][LIGHT] = 0;
    if (state->ending) {
        dissolve_next(state);
    } else if (!is_replaced(state)) {
        end_turn(state);
    } else if (tiles_left(state) == 0) {
        begin_ending(state);
    } else {
        state->phase = NEW_TILES;
        state->actor = CHANCE;
        state->draws = 2;
    }
}

static void dissolve(State *state) {
    int mandala = state->mandala;
    if (state->marker[mandala] > 0) {
        state->phase = CLAIM;
        state->actor = state->marker[mandala] - 1;
        return;
    }
    for (int side = 0; side < 2; side++)
        state->owner[state->tile[mandala][side] - 1] = OUT_OF_PLAY;
    for (int seat = 0; seat < state->seats; seat++)
        clear_cards(state, seat, true);
    remove_mandala(state);
}

static int second_seat(const State *state, int mandala, int holder) {
    int best = holder, best_cards = 0, best_up = 0;
    for (int seat = 0; seat < state->seats; seat++) {
        int up = face_up_of(state, seat, mandala);
        if (seat == holder || up == 0)
            continue;
        int cards = cards_of(state, seat, mandala);
        if (cards > best_cards || (cards == best_cards && up > best_up)) {
            best = seat;
            best_cards = cards;
            best_up = up;
        } else if (cards == best_cards && up == best_up) {
            best = holder;
        }
    }
    if (state->seats == 2 && 2 * best_cards < cards_of(state, holder, mandala))
        return holder;
    return best;
}

static void receive_tile(State *state, int seat, int tile) {
    state->owner[tile] = FIRST_OWNER + seat;
    for (int other = 0; other < TILES; other++)
        if (other != tile && colour_of_tile(other) == colour_of_tile(tile) &&
            state->owner[other] == FIRST_OWNER + seat && state->partner[other] == 0) {
            state->partner[other] = tile + 1;
            state->partner[tile] = other + 1;
            state->flowers[seat]++;
            return;
        }
}

static void claim(State *state, int tile) {
    int mandala = state->mandala, holder = state->actor;
    int runner_up = second_seat(state, mandala, holder);
    for (int side = 0; side < 2; side++) {
        int each = state->tile[mandala][side] - 1;
        receive_tile(state, each == tile ? holder : runner_up, each);
    }
    for (int seat = 0; seat < state->seats; seat++)
        clear_cards(state, seat, seat != holder && seat != runner_up);
    remove_mandala(state);
}

/* Drawing */

static void shuffle_discard_pile(State *state) {
    if (count(state->discard, COLOUR_COUNT) == 0)
        return;
    state->shuffles = 1 + state->shuffles % 2;
    for (int colour = 0; colour < COLOUR_COUNT; colour++) {
        state->pile[colour] = state->discard[colour];
        state->discard[colour] = 0;
    }
    state->pile[UNKNOWN] = 0;
    for (int seat = 0; seat < state->seats; seat++) {
        for (int colour = 0; colour < CARD_KINDS; colour++)
            state->drawn[seat][colour] = 0;
    }
}

static void continue_draw(State *state) {
    if (state->draws > 0) {
        if (count(state->pile, CARD_KINDS) == 0)
            shuffle_discard_pile(state);
        if (count(state->pile, CARD_KINDS) > 0) {
            state->actor = CHANCE;
            return;
        }
        state->draws = 0;
    }
    check_majority(state);
    if (colours_in(state, state->mandala) == ALL_COLOURS)
        dissolve(state);
    else
        end_turn(state);
}

static void deal_next_hand(State *state) {
    state->turn++;
    state->draws = FIRST_HAND + state->turn;
    if (state->turn == state->seats) {
        state->turn = 0;
        state->draws = 0;
        state->phase = ACTION;
        state->actor = 0;
    }
}

static void draw(State *state, int colour) {
    take(state->pile, colour, 1);
    state->hand[state->turn][colour]++;
    state->draws--;
    if (state->phase == SETUP_HANDS) {
        if (state->draws == 0)
            deal_next_hand(state);
        return;
    }
    if (state->shuffles > 0)
        state->drawn[state->turn][colour]++;
    continue_draw(state);
}

static void lay_tile(State *state, int tile) {
    int side = state->draws == 2 ? DARK : LIGHT;
    state->tile[state->mandala][side] = tile + 1;
    state->owner[tile] = IN_MANDALA;
    state->draws--;
    if (state->draws > 0)
        return;
    if (state->phase == NEW_TILES) {
        end_turn(state);
    } else if (state->mandala + 1 < MANDALAS) {
        state->mandala++;
        state->draws = 2;
    } else {
        state->mandala = 0;
        state->phase = SETUP_HANDS;
        state->draws = FIRST_HAND;
    }
}

/* Moves */

static bool is_new_colour(const State *state, int mandala, int colour) {
    return ((colours_in(state, mandala) >> colour) & 1) == 0;
}

static void remove_from_hand(State *state, int seat, int colour, int number) {
    take(state->hand[seat], colour, number);
    state->shown[seat][colour] -= smaller(state->shown[seat][colour], number);
}

static void play(State *state, int mandala, int colour, int number) {
    int seat = state->turn;
    remove_from_hand(state, seat, colour, number);
    int side = is_new_colour(state, mandala, colour) ? FACE_UP : FACE_DOWN;
    state->laid[seat][mandala][side][colour] += number;
    state->mandala = mandala;
    state->passes = 0;
    int cards = count(state->hand[seat], CARD_KINDS);
    state->draws =
        number == 1 && cards < HAND_LIMIT ? smaller(DRAW_LIMIT, HAND_LIMIT - cards) : 0;
    state->phase = DRAW;
    continue_draw(state);
}

static void pass_turn(State *state) {
    state->passes++;
    if (state->passes == state->seats)
        begin_ending(state);
    else
        end_turn(state);
}

static void apply(State *state, int move) {
    switch (KIND[move]) {
    case CARD: draw(state, COLOUR[move]); break;
    case PLAY: play(state, MANDALA[move], COLOUR[move], COUNT[move]); break;
    case CLAIM_TILE: claim(state, TILE_OF[move]); break;
    case TILE: lay_tile(state, TILE_OF[move]); break;
    case PASS: pass_turn(state); break;
    default:
        state->mandala = MANDALA[move];
        dissolve(state);
    }
}

#include "loop.h"
