/* What the public functions say of themselves. */
#include "prfast/include/prfast.h"

const char *prfast_status_text(int status)
{
    switch (status) {
    case PRFAST_OK:
        return "prfast: no error";
    case PRFAST_NO_MEMORY:
        return "prfast: no memory for scratch";
    case PRFAST_BAD_POINTER:
        return "prfast: an array expected, got NULL or a pointer that is not aligned";
    case PRFAST_BAD_SIZE:
        return "prfast: a size, a stride or a range that fits expected";
    case PRFAST_BAD_OPTION:
        return "prfast: a flag, a reserved field or a pair of arrays as declared expected";
    case PRFAST_BAD_K:
        return "prfast: k from 1 to the number of neighbors expected";
    case PRFAST_BAD_NUMBER:
        return "prfast: numbers in their range, not NaN and not all zero, expected";
    case PRFAST_OUT_OF_RANGE:
        return "prfast: sums and squares of differences within float64 expected";
    default:
        return "prfast: a status expected, got another number";
    }
}

int prfast_abi(void)
{
    return PRFAST_ABI;
}
