/* In front of every file of csrc where allocations are to fail: each knows where it is. */
#ifndef FAILING_H
#define FAILING_H

#include <stdlib.h>

void *failing_calloc(size_t count, size_t size, const char *file, int line);
void *failing_realloc(void *old, size_t size, const char *file, int line);
void failing_free(void *memory);

#define malloc(size) failing_realloc(NULL, size, __FILE__, __LINE__)
#define calloc(count, size) failing_calloc(count, size, __FILE__, __LINE__)
#define realloc(old, size) failing_realloc(old, size, __FILE__, __LINE__)
#define free(memory) failing_free(memory)

#endif
