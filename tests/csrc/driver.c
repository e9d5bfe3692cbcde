/* Calls every function of the C library on small and awkward inputs; run under ASan and UBSan,
 * so what it checks is that nothing reads, writes, overflows or leaks where it must not. */
#include "driver.h"

#include <string.h>

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

int main(int argc, char **argv)
{
    if (argc > 1)
        return control(argv[1], argc);
    check_masses();
    for (int64_t i = 0; prf_isa_at(i); i++)
        if (prf_isa_at(i)->runs && prf_isa_at(i)->runs()) {
            check_balls(prf_isa_at(i)->engine);
            check_keys(prf_isa_at(i)->engine);
            check_lists(prf_isa_at(i)->engine);
            check_open(prf_isa_at(i)->engine);
        }
    check_longest(prf_isa_at(0)->engine);
    check_public();
    return 0;
}
