// SPDX-License-Identifier: BSD-3-Clause
// What recording costs the program that is recorded: ratios of loops that run in turn.
//
//     bench_record [--seconds N]     N: how long the sustained rate is held; 0 leaves it out
#include "bench_ratio.h"
#include "clock.h"
#include "tprof/tprof.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { RANGES = 200000, MAX_THREADS = 8 };

static volatile uint64_t result;
static int a_flag;

static double two_reads(int count)
{
    const double begin = bench_now_ns();
    for (int i = 0; i < count; i++) {
        const uint64_t first = tp_clock_ticks();
        result = tp_clock_ticks() - first;
    }
    return (bench_now_ns() - begin) / count;
}

static double ranges(int count)
{
    const double begin = bench_now_ns();
    for (int i = 0; i < count; i++) {
        TPROF_SCOPE("range");
    }
    return (bench_now_ns() - begin) / count;
}

// What a switched-off range comes down to.
static double load_and_branch(int count)
{
    const double begin = bench_now_ns();
    for (int i = 0; i < count; i++)
        if (__builtin_expect(__atomic_load_n(&a_flag, __ATOMIC_RELAXED) != 0, 0))
            result = (uint64_t)i;
    return (bench_now_ns() - begin) / count;
}

static void begin_window(tprof_profiler *profiler)
{
    if (tprof_start(profiler) != TPROF_OK)
        exit(1);
    ranges(1000);
}

// Two loops that run in turn, in pieces so short that what disturbs the machine disturbs few of
// them.
typedef struct bench_pair {
    double ratio, ours_ns, theirs_ns;
} bench_pair;

static bench_pair compare(double (*loop)(int), double (*measure)(int), int count)
{
    enum { PIECES = 25 };
    double ours[PIECES], theirs[PIECES];

    for (int i = 0; i < PIECES; i++) {
        theirs[i] = measure(count / PIECES);
        ours[i] = loop(count / PIECES);
    }
    const double our = bench_median(ours, PIECES), their = bench_median(theirs, PIECES);
    return (bench_pair){our / their, our, their};
}

// The row of some pairs.
static int pairs_row(const bench_limit *limit, const bench_pair *pairs)
{
    double ratios[BENCH_ROUNDS], ours[BENCH_ROUNDS], theirs[BENCH_ROUNDS];
    char detail[64];

    for (int i = 0; i < BENCH_ROUNDS; i++) {
        ratios[i] = pairs[i].ratio;
        ours[i] = pairs[i].ours_ns;
        theirs[i] = pairs[i].theirs_ns;
    }
    snprintf(detail, sizeof(detail), "%.3g ns / %.3g ns", bench_median(ours, BENCH_ROUNDS),
             bench_median(theirs, BENCH_ROUNDS));
    return bench_row(limit, bench_median(ratios, BENCH_ROUNDS), detail);
}

static int bench_range(tprof_profiler *profiler)
{
    static const bench_limit limit = {"B1", "one range / two reads of the clock", 1.3, 1.1, 0};
    bench_pair pairs[BENCH_ROUNDS];

    for (int i = 0; i < BENCH_ROUNDS; i++) {
        begin_window(profiler);
        pairs[i] = compare(ranges, two_reads, RANGES);
        tprof_stop(profiler);
    }
    return pairs_row(&limit, pairs);
}

static int bench_off(void)
{
    static const bench_limit limit = {"B3", "a range while off / load and branch", 2, 1.1, 0};
    bench_pair pairs[BENCH_ROUNDS];

    for (int i = 0; i < BENCH_ROUNDS; i++)
        pairs[i] = compare(ranges, load_and_branch, 20 * RANGES);
    return pairs_row(&limit, pairs);
}

// Threads that measure at the same time, so that what they share would show.
typedef struct racer {
    pthread_t thread;
    pthread_barrier_t *start;
    double ratio;
} racer;

static void *race(void *arg)
{
    racer *r = arg;
    ranges(1000);
    pthread_barrier_wait(r->start);
    r->ratio = compare(ranges, two_reads, RANGES / 4).ratio;
    return NULL;
}

static double race_ratio(int count)
{
    racer racers[MAX_THREADS];
    pthread_barrier_t start;
    double ratios[MAX_THREADS];

    pthread_barrier_init(&start, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        racers[i].start = &start;
        if (pthread_create(&racers[i].thread, NULL, race, &racers[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(racers[i].thread, NULL);
        ratios[i] = racers[i].ratio;
    }
    pthread_barrier_destroy(&start);
    return bench_median(ratios, count);
}

static int bench_threads(tprof_profiler *profiler)
{
    static const int counts[] = {1, 2, 8};
    static const bench_limit limits[] = {
        {"B1", "the same in 1 thread of its own", 1.3, 1.1, 0},
        {"B1", "the same in 2 threads at once",   1.3, 1.1, 0},
        {"B1", "the same in 8 threads at once",   1.3, 1.1, 0},
    };
    double ratios[BENCH_ROUNDS];
    int kept = 1;

    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < BENCH_ROUNDS; i++) {
            begin_window(profiler);
            ratios[i] = race_ratio(counts[c]);
            tprof_stop(profiler);
        }
        kept &= bench_row(&limits[c], bench_median(ratios, BENCH_ROUNDS), "median of the threads");
    }
    return kept;
}

// About a microsecond of work.
static __attribute__((noinline)) void body(int rounds)
{
    uint64_t x = result;
    for (int i = 0; i < rounds; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    result = x;
}

static double bodies(int count, int rounds)
{
    const double begin = bench_now_ns();
    for (int i = 0; i < count; i++) {
        TPROF_SCOPE("body");
        body(rounds);
    }
    return (bench_now_ns() - begin) / count;
}

static double bare_bodies(int count, int rounds)
{
    const double begin = bench_now_ns();
    for (int i = 0; i < count; i++)
        body(rounds);
    return (bench_now_ns() - begin) / count;
}

static int bench_bodies(tprof_profiler *profiler)
{
    static const bench_limit limit = {"", "a loop of 1 us bodies, recorded / not", 1.08, 1.04, 0};
    double ratios[BENCH_ROUNDS];
    int rounds = 100;

    while (bare_bodies(1000, rounds) < 1000)
        rounds += rounds / 8;
    for (int i = 0; i < BENCH_ROUNDS; i++) {
        const double bare = bare_bodies(20000, rounds);
        begin_window(profiler);
        ratios[i] = bodies(20000, rounds) / bare;
        tprof_stop(profiler);
    }
    return bench_row(&limit, bench_median(ratios, BENCH_ROUNDS), "");
}

// Ranges at an even rate; returns how many there were.
static double pace(double per_second, double seconds)
{
    enum { BURST = 1000 };
    const double begin = bench_now_ns();
    double done = 0;

    while (done < per_second * seconds) {
        ranges(BURST);
        done += BURST;
        while (bench_now_ns() < begin + done / per_second * 1e9)
            continue;
    }
    return done;
}

// All in one window that is written; returns whether the rate was held and nothing lost.
static int sustain(double per_second, double seconds, const char *directory)
{
    const tprof_tensorboard_options options = {.files = TPROF_FILE_PER_WINDOW};
    const tprof_config config = {
        .activities = TPROF_CPU,
        .on_trace_ready = tprof_tensorboard_trace_handler(directory, "bench", &options),
    };
    tprof_profiler *profiler;
    tprof_stats stats;

    if (tprof_create(&config, &profiler) != TPROF_OK || tprof_start(profiler) != TPROF_OK)
        exit(1);
    const double begin = bench_now_ns();
    pace(per_second, seconds);
    const double took = (bench_now_ns() - begin) / 1e9;
    tprof_stop(profiler);
    if (tprof_flush(profiler) != TPROF_OK)
        exit(1);
    tprof_get_stats(profiler, &stats);
    tprof_destroy(profiler);
    return stats.dropped_events == 0 && took < 1.02 * seconds;
}

// The highest of some rates at which nothing is lost.
static int bench_sustained(double seconds)
{
    static const bench_limit limit = {"B7", "M ranges/s sustained, nothing dropped", 1, 1.8, 1};
    static const double rates[] = {2.2e6, 1.8e6, 1.4e6, 1.0e6, 0.7e6, 0.4e6};
    char directory[] = "/tmp/tprof-bench-XXXXXX", command[64], detail[64];
    double best = 0;

    if (seconds <= 0 || !mkdtemp(directory))
        return 1;
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]) && best == 0; i++)
        if (sustain(rates[i], seconds, directory))
            best = rates[i];
    snprintf(command, sizeof(command), "rm -rf %s", directory);
    if (system(command) != 0)
        return 0;
    snprintf(detail, sizeof(detail), "the best of six rates, %g s each", seconds);
    return bench_row(&limit, best / 1e6, detail);
}

// More than memory holds, and nowhere else to put it.
static int bench_burst(void)
{
    static const bench_limit limit = {
        "B7", "a burst of 5 M ranges/s in memory alone: counted / made", 1, 1, 1};
    const tprof_config config = {.activities = TPROF_CPU, .memory_only = true};
    tprof_profiler *profiler;
    tprof_stats stats;
    char detail[96];

    if (tprof_create(&config, &profiler) != TPROF_OK || tprof_start(profiler) != TPROF_OK)
        exit(1);
    const double made = pace(5e6, 3);
    tprof_stop(profiler);
    tprof_get_stats(profiler, &stats);
    tprof_destroy(profiler);
    const double kept = (double)stats.events, dropped = (double)stats.dropped_events;
    snprintf(detail, sizeof(detail), "%.2f M made = %.2f M kept + %.2f M dropped; %.0f MB held",
             made / 1e6, kept / 1e6, dropped / 1e6, (double)stats.peak_memory_bytes / 1e6);
    // Too many would be as wrong as too few, and so would be a memory without end.
    const int counted = dropped > 0 && kept + dropped == made;
    return bench_row(&limit, counted ? 1 : 0, detail);
}

int main(int argc, char **argv)
{
    const double seconds = argc > 2 && strcmp(argv[1], "--seconds") == 0 ? atof(argv[2]) : 30;
    const tprof_config config = {.activities = TPROF_CPU};
    tprof_profiler *profiler;

    if (tprof_create(&config, &profiler) != TPROF_OK)
        return 1;
    int kept = bench_range(profiler);
    kept &= bench_off();
    kept &= bench_threads(profiler);
    kept &= bench_bodies(profiler);
    tprof_destroy(profiler);
    kept &= bench_sustained(seconds);
    kept &= bench_burst();
    return kept ? 0 : 1;
}
