/* Operations that no instruction does at once, lane by lane. */
#ifndef PRFAST_ISA_LANES_H
#define PRFAST_ISA_LANES_H

static inline int vf_take(float *to, int32_t *rows, vf v, int32_t row, unsigned mask)
{
    float numbers[VF];
    int count = 0;
    vf_store(numbers, v);
    for (; mask; mask &= mask - 1) {
        int at = first_bit(mask);
        to[count] = numbers[at];
        rows[count++] = row + at;
    }
    return count;
}

#endif
