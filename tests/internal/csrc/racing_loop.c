/* The controls of test_races.py: loops of two OpenMP threads, with a race and without. */
#include <stdint.h>

int64_t with_a_race(int64_t n)
{
    int64_t sum = 0;
#pragma omp parallel for num_threads(2)
    for (int64_t i = 0; i < n; i++)
        sum += i;
    return sum;
}

int64_t without(int64_t n, int64_t *squares)
{
    int64_t sum = 0;
#pragma omp parallel for num_threads(2)
    for (int64_t i = 0; i < n; i++)
        squares[i] = i * i;
    for (int64_t i = 0; i < n; i++) /* what the other thread wrote, once it is done */
        sum += squares[i];
    return sum;
}
