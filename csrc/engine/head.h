/* Heads before everything else: pairs whose keys of heads are within no radius are done with; the others are
 * evaluated as those that the int8 filter leaves possible (cascade.h), and are offered to lists at once.
 */

/* Of [first, first + count), packed or copied from the panels. */
static prf_status head_make(cascade *c, const prf_pass *pass, int64_t first, int64_t count, int within)
{
    const prf_pass *head = pass->head;
    prf_status status = within ? scratch_within(&c->head, head, first, count)
                               : scratch_make(&c->head, head, first, count, 1);
    if (status != PRF_OK)
        return status;
    for (int64_t i = 0; !within && i < round_up(count, MR); i++)
        c->head.bounds[i] = i < count ? prf_half_lo(&c->head.bound, c->head.norms[i],
                                                    prf_slack(head, &head->queries, first + i))
                                      : INFINITY;
    c->block = (int8_block){.pass = pass, .count = count, .memory = c->head.memory};
    return PRF_OK;
}

enum { HEAD_GROUP_BYTES = 256 * 1024, HEAD_AT_FIRST = 4096 /* pairs */ };

/* References whose rows stay in the second-level cache, with their heads. */
static int64_t head_group(const prf_pass *pass)
{
    int64_t numbers = pass->refs.dim + pass->head->refs.dim, bytes = numbers * NR * (int64_t)sizeof(float);
    int64_t group = HEAD_GROUP_BYTES / bytes * NR;
    return group < 2 * NR ? 2 * NR : group;
}

/* Pairs of a tile that are within a radius, behind those that wait. */
static inline int64_t head_wait(cascade *c, const float *key, const float *most, int64_t query, int64_t ref,
                                int64_t waiting)
{
    const float *theirs = c->block.ref_half;
    int64_t end = c->block.count - query < MR ? c->block.count - query : MR;
    vf none = vf_set1(-INFINITY), left = theirs ? vf_load(theirs + ref) : none;
    vf right = theirs ? vf_load(theirs + ref + VF) : none;
    for (int64_t i = 0; i < end; i++, key += NR) {
        vf own = vf_set1(most[i]);
        unsigned within = vf_ge(vf_max(own, left), vf_load(key)) |
                          vf_ge(vf_max(own, right), vf_load(key + VF)) << VF;
        if (c->after >= 0)
            within &= after(c->after + query + i, ref);
        for (; within; within &= within - 1) {
            c->query[waiting] = (int32_t)(query + i);
            c->ref[waiting++] = (int32_t)(ref + first_bit(within));
        }
    }
    return waiting;
}

/* A strip of queries and references [from, to). */
static void head_visit(cascade *c, int64_t query, int64_t from, int64_t to)
{
    const prf_pass *head = c->block.pass->head;
    int64_t dim = head->refs.dim, waiting = 0;
    float key[MR * NR], most[MR];
    for (int64_t i = 0; i < MR && query + i < c->block.count; i++)
        most[i] = prf_head_possible(&c->head.bound, c->reach(c, query + i));
    for (int64_t ref = from; ref < to; ref += NR) {
        key_tile(c->head.strips + query * dim, head->panels + ref * dim, dim, head->half_lo + ref,
                 c->head.bounds + query, key);
        waiting = head_wait(c, key, most, query, ref, waiting);
        if (waiting > INT8_FEW - MR * NR) {
            few_of_strip(c, 0, waiting);
            waiting = 0;
        }
    }
    few_of_strip(c, 0, waiting);
}

/* The cascade of a block through heads or through the int8 filter; within: its queries are packed references. */
static prf_status cascade_begin(cascade *c, const prf_pass *pass, int64_t first, int64_t count, int within)
{
    c->after = within ? first : -1;
    prf_status status = pass->head ? head_make(c, pass, first, count, within)
                        : within   ? int8_make_within(&c->block, pass, first, count)
                                   : int8_make(&c->block, pass, first, count);
    if (status != PRF_OK)
        return status;
    status = cascade_make(c, pass, first);
    if (status != PRF_OK)
        free(c->block.memory);
    return status;
}

static int64_t cascade_group(const prf_pass *pass)
{
    return pass->head ? head_group(pass) : int8_group(pass);
}

static void cascade_visit(cascade *c, int64_t query, int64_t from, int64_t to)
{
    if (c->block.pass->head)
        head_visit(c, query, from, to);
    else
        int8_visit(&c->block, query, from, to);
}
