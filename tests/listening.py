"""Bars that are not shown: one hears of each step, one is interrupted at its first."""

from prfast.inputs.options import Progress


class Listening(Progress):
    def __init__(self):
        super().__init__(False)
        self.steps = []

    def advance(self, units=1):
        self.steps.append(units)


class Interrupted(Progress):
    def __init__(self):
        super().__init__(False)

    def advance(self, units=1):
        raise KeyboardInterrupt
