/* Allocations of csrc, which fail where a function of Python says so; LD_PRELOAD puts them before the extensions. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static int (*fails)(const char *file, int line);
static _Atomic int64_t live;

void failing_ask(int (*function)(const char *file, int line))
{
    fails = function;
}

int64_t failing_live(void)
{
    return live;
}

void *failing_realloc(void *old, size_t size, const char *file, int line)
{
    void *memory = fails && fails(file, line) ? NULL : realloc(old, size);
    live += memory && !old;
    return memory;
}

void *failing_calloc(size_t count, size_t size, const char *file, int line)
{
    void *memory = fails && fails(file, line) ? NULL : calloc(count, size);
    live += memory != NULL;
    return memory;
}

void failing_free(void *memory)
{
    live -= memory != NULL;
    free(memory);
}
