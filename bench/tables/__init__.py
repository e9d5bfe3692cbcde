"""Tables of real rows, tables that generators make of them, and what scorers say of both.

    generators.py    the case: options, what is run, what is found
      sources.py       real tables, split into parts
      make.py          generated tables, made once and kept in a folder
      scorers.py       prfast and its peers, each in a process of its own
      synthcity_scores.py  what the environment of synthcity runs
    attribution.py   damaged columns and pairs of columns: are they named first?
    copied.py        level and power of the test of copies

A scorer is a function in scorers.py and a row of `SCORERS`.
"""
