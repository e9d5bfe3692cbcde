/* The distance engine for one instruction set; included by a file of isa/ after the instructions that
 * simd.h asks for.  From the innermost out: a register tile of dot products, reductions on the tile
 * while it is in the first-level cache, a block of queries against a super-block of references.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic/select.h"
#include "distances/exact.h"
#include "distances/points.h"
#include "distances/reservoir.h"
#include "distances/waiting.h"
#include "filter/bound.h"
#include "filter/head.h"
#include "filter/int8.h"
#include "filter/rotate.h"

#include "engine/simd.h"

#include "engine/block.h"
#include "engine/tiles.h"
#include "engine/visit.h"

#include "engine/lists.h"
#include "engine/halves.h"
#include "engine/fused.h"
#include "engine/differences.h"
#include "engine/int8_block.h"
#include "engine/int8.h"
#include "engine/unrefined.h"
#include "engine/cascade.h"
#include "engine/cost.h"
#include "engine/head.h"
#include "engine/fused8.h"
#include "engine/symmetric.h"
#include "engine/finish.h"
#include "engine/half_kth.h"
#include "engine/open.h"
#include "engine/guess.h"
#include "engine/kernels.h"
#include "engine/nearest.h"
#include "engine/values.h"

static int int8_gain(void)
{
    return I8_GAIN;
}

static const prf_engine engine = {
    .panel = NR,
    .fused = fused_block,
    .ratio = ratio_block,
    .nearest = nearest_block,
    .symmetric = symmetric,
    .lower = lower,
    .finish = finish_block,
    .half_kth = half_kth_block,
    .open = open_block,
    .shorten = shorten_block,
    .int8_gain = int8_gain,
    .int8_pack = int8_pack,
    .kernel_sums = kernel_sums,
};
