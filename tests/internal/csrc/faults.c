/* Controls, at the end of a file of csrc: what the sanitizers must report. */
#include <stdlib.h>
#define SHOWN __attribute__((visibility("default")))

SHOWN int outside(int size, int beyond)
{
    int *memory = calloc((size_t)size, sizeof *memory), last = memory[size - 1 + beyond];
    free(memory);
    return last;
}

SHOWN int overflow(int number)
{
    return number + 1;
}

SHOWN int with_a_race(int n)
{
    int sum = 0;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
