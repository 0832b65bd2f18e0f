/* The loop that is measured, and the program around it: included last by each game.
 *
 *   program SEATS GAMES SEED
 *
 * prints the decisions made, the seconds of processor time they took, the state of the generator
 * afterwards and a fingerprint (FNV-1a) of the last position.
 */

/* Let chance move until a seat must decide or the game is over. */
static void play_chance(State *state, uint64_t *generator, int16_t *rows, int64_t *weights) {
    while (state->actor == CHANCE) {
        int found = chance(state, rows, weights);
        int64_t total = 0;
        for (int place = 0; place < found; place++) {
            total += weights[place];
            weights[place] = total;
        }
        int64_t drawn = random_below(generator, total);
        int place = 0;
        while (weights[place] <= drawn)
            place++;
        apply(state, rows[place]);
    }
}

/* Play whole games at random; return how many decisions were made. */
static int64_t play_random_games(State *state, int seats, uint64_t *generator, int64_t games) {
    static int16_t rows[MAX_ROWS];
    static int64_t weights[MAX_ROWS];
    int64_t decisions = 0;
    for (int64_t game = 0; game < games; game++) {
        memset(state, 0, sizeof *state);
        begin(state, seats);
        play_chance(state, generator, rows, weights);
        while (state->actor != NOBODY) {
            int found = legal(state, rows);
            apply(state, rows[random_below(generator, found)]);
            decisions++;
            play_chance(state, generator, rows, weights);
        }
    }
    return decisions;
}

static uint64_t fingerprint(const State *state) {
    const uint8_t *bytes = (const uint8_t *)state;
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t place = 0; place < sizeof *state; place++)
        hash = (hash ^ bytes[place]) * 0x100000001B3u;
    return hash;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: %s SEATS GAMES SEED\n", argv[0]);
        return 2;
    }
    int seats = atoi(argv[1]);
    int64_t games = atoll(argv[2]);
    uint64_t generator = strtoull(argv[3], NULL, 10);
    static State state;
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    int64_t decisions = play_random_games(&state, seats, &generator, games);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf("%lld %.9f %llu %llu\n", (long long)decisions, seconds, (unsigned long long)generator,
           (unsigned long long)fingerprint(&state));
    return 0;
}
