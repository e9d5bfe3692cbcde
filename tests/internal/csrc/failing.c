/* The driver once more for each allocation of the C library, which fails: the first of its place in the
 * source, and the last.  The library says that there is no memory, or does without, and has
 * given back what it had; nothing it says may be wrong.                                          */
#include <setjmp.h>
#include <string.h>

#include "driver.h"

void *failing_malloc(size_t size, const char *file, int line);
void *failing_calloc(size_t count, size_t size, const char *file, int line);
void *failing_realloc(void *old, size_t size, const char *file, int line);
void failing_free(void *memory);

enum { PLACES = 256 };

typedef struct {
    const char *file;
    int line;
    int64_t seen; /* in the run that nothing failed in */
} place;

static place places[PLACES], failed_at[PLACES];
static int places_count, failed_at_count;
static const place *target; /* what fails, at its target_seen-th time; NULL: nothing */
static int64_t target_seen, seen, live;
static int fired;
static jmp_buf after_failure;

static place *find(place *some, int *count, const char *file, int line)
{
    for (int i = 0; i < *count; i++)
        if (some[i].line == line && strcmp(some[i].file, file) == 0)
            return &some[i];
    if (*count == PLACES) {
        fprintf(stderr, "failing.c: more than %d places\n", PLACES);
        exit(1);
    }
    some[*count] = (place){file, line, 0};
    return &some[(*count)++];
}

/* Is it the turn of this allocation to fail? */
static int fails(const char *file, int line)
{
    if (!target) {
        find(places, &places_count, file, line)->seen++;
        return 0;
    }
    if (target->line != line || strcmp(target->file, file) != 0 || ++seen != target_seen)
        return 0;
    find(failed_at, &failed_at_count, file, line);
    return fired = 1;
}

void *failing_malloc(size_t size, const char *file, int line)
{
    void *memory = fails(file, line) ? NULL : malloc(size);
    live += memory != NULL;
    return memory;
}

void *failing_calloc(size_t count, size_t size, const char *file, int line)
{
    void *memory = fails(file, line) ? NULL : calloc(count, size);
    live += memory != NULL;
    return memory;
}

void *failing_realloc(void *old, size_t size, const char *file, int line)
{
    void *memory = fails(file, line) ? NULL : realloc(old, size);
    live += memory != NULL && !old;
    return memory;
}

void failing_free(void *memory)
{
    live -= memory != NULL;
    free(memory);
}

/* A status that is not OK is the library's answer to the failure; anything else is wrong. */
_Noreturn void give_up(const char *file, int line, const char *condition)
{
    if (fired && (strstr(condition, "PRF_OK") || strstr(condition, "PRFAST_")))
        longjmp(after_failure, 1);
    fprintf(stderr, "%s:%d: %s", file, line, condition);
    if (target)
        fprintf(stderr, " after %s:%d failed", target->file, target->line);
    fprintf(stderr, "\n");
    exit(1);
}

static const prf_engine *engine;

static void balls(void)
{
    check_distances(engine);
}

static void halves(void)
{
    check_halves(engine);
}

static void keys(void)
{
    check_keys(engine);
}

static void kernels(void)
{
    check_kernels(engine);
}

static void lists(void)
{
    check_lists(engine);
}

static void open_lists(void)
{
    check_open(engine);
}

/* What must be reported: of two allocations the second fails, and the first is left behind. */
static void control(void)
{
    void *first = failing_malloc(8, "control", 1), *second = failing_malloc(8, "control", 2);
    REQUIRE(second && "PRF_OK");
    failing_free(first);
    failing_free(second);
}

static void run(void (*scenario)(void))
{
    seen = 0, fired = 0;
    random_again();
    if (!setjmp(after_failure))
        scenario();
}

static int64_t fail_all_of(void (*scenario)(void), const char *name)
{
    int64_t failures = 0;
    target = NULL, places_count = 0;
    random_again();
    scenario();
    if (live) {
        fprintf(stderr, "%s: %lld allocations are left with no failure\n", name, (long long)live);
        exit(1);
    }
    for (int i = 0; i < places_count; i++) {
        const int64_t turns[] = {1, places[i].seen};
        for (int t = 0; t < 2 && turns[t] > t; t++) {
            target = &places[i], target_seen = turns[t];
            run(scenario);
            if (!fired || live) {
                fprintf(stderr, "%s: %s:%d, time %lld: %s, %lld allocations are left\n", name,
                        target->file, target->line, (long long)target_seen,
                        fired ? "failed" : "was not reached again", (long long)live);
                exit(1);
            }
            failures++;
        }
    }
    return failures;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        fail_all_of(control, "control");
        return 0;
    }
    int64_t failures = fail_all_of(check_masses, "masses") + fail_all_of(check_public, "public");
    failures += fail_all_of(check_trees, "trees");
    for (int64_t i = 0; prf_isa_at(i); i++) /* the best engine: all are of one source */
        if (prf_isa_at(i)->runs && prf_isa_at(i)->runs())
            engine = prf_isa_at(i)->engine;
    failures += fail_all_of(balls, "balls") + fail_all_of(halves, "halves") +
                fail_all_of(keys, "keys") + fail_all_of(kernels, "kernels");
    failures += fail_all_of(lists, "lists") + fail_all_of(open_lists, "open");
    for (int i = 0; i < failed_at_count; i++)
        printf("%s:%d\n", failed_at[i].file, failed_at[i].line);
    fprintf(stderr, "%lld allocations failed, each alone, at %d places\n", (long long)failures,
            failed_at_count);
    return 0;
}
