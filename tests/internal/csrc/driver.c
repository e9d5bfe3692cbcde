/* Calls every function of the C library on small and awkward inputs; run under ASan and UBSan,
 * so what it checks is that nothing reads, writes, overflows or leaks where it must not. */
#include "driver.h"

#include <string.h>

#include "prfast/include/prfast.h"

/* What the sanitizers must report. */
static int control(const char *fault, int64_t size)
{
    int64_t *volatile memory = NULL;
    for (int i = 0; i < 100; i++) /* all but the last are lost */
        if (!memory || strcmp(fault, "lost") == 0)
            memory = malloc((size_t)size * sizeof *memory);
    memory[size - 1] = INT64_MAX;
    if (strcmp(fault, "outside") == 0)
        memory[size] = 1;
    if (strcmp(fault, "overflow") == 0)
        memory[size - 1] += size;
    free(memory);
    return 0;
}

/* Everything that an engine does. */
static void check_engine(const prf_engine *engine)
{
    check_distances(engine);
    check_halves(engine);
    check_kernels(engine);
    check_keys(engine);
    check_lists(engine);
    check_open(engine);
}

static int runs_here(const prf_isa *isa)
{
    return isa->runs && isa->runs();
}

/* One instruction set alone; or, of "names", which of them run here. */
static int isa_of(const char *name)
{
    int found = 0, list = strcmp(name, "names") == 0;
    for (int64_t i = 0; prf_isa_at(i); i++) {
        if (!runs_here(prf_isa_at(i)))
            continue;
        if (list)
            printf("%s\n", prf_isa_at(i)->name);
        else if (strcmp(name, prf_isa_at(i)->name) == 0) {
            check_engine(prf_isa_at(i)->engine);
            const prf_isa *next = prf_isa_at(i + 1);
            if (!next || !runs_here(next)) /* the best one, which the public functions take */
                check_public();
            found = 1;
        }
    }
    return list || found;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return isa_of(argv[1]) ? 0 : control(argv[1], argc);
    check_masses();
    check_trees();
    for (int64_t i = 0; prf_isa_at(i); i++)
        if (runs_here(prf_isa_at(i)))
            check_engine(prf_isa_at(i)->engine);
    check_longest(prf_isa_at(0)->engine);
    check_public();
    return 0;
}
