"""What every result carries: how it was made.

info        a record that JSON keeps as it is
version     of prfast and of the packages beside it
"""
