"""A bar that is not shown, and hears of each step."""

from prfast.inputs.progress import Progress


class Listening(Progress):
    def __init__(self):
        super().__init__(False)
        self.steps = []

    def advance(self, units=1):
        self.steps.append(units)
