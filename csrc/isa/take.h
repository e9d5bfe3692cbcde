/* vf_take where no instruction does it: bit by bit. */
#ifndef PRFAST_ISA_TAKE_H
#define PRFAST_ISA_TAKE_H

static inline int vf_take(float *to, int32_t *rows, vf v, int32_t row, unsigned mask)
{
    float numbers[VF];
    int taken = 0;
    vf_store(numbers, v);
    for (; mask; mask &= mask - 1) {
        int at = first_bit(mask);
        to[taken] = numbers[at];
        rows[taken++] = row + at;
    }
    return taken;
}

#endif
