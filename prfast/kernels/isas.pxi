# The instruction sets of this machine: the rows of csrc/isa that run here.


cdef dict running():
    """The instruction sets that this machine runs, the plainest first: name -> row of the table."""
    cdef int64_t i = 0
    cdef const prf_isa *isa = prf_isa_at(0)
    found = {}
    while isa != NULL:
        if isa.runs != NULL and isa.runs():
            found[isa.name.decode()] = i
        i += 1
        isa = prf_isa_at(i)
    return found


ISAS = running()

# Multiply-adds of int8 for one of float32, by instruction set; 0: not in hardware.
INT8_GAINS = {name: prf_isa_at(row).engine.int8_gain for name, row in ISAS.items()}
