"""What mypy knows of the module: constants and classes.  distances.pyx has the signatures."""

from typing import Any

WORK: tuple[str, ...]
ISAS: dict[str, int]
INT8_GAINS: dict[str, int]
INT8_WIDEST: int
BLOCK: int
INT8_BLOCK: int
SAMPLE: int
HALVINGS: int
FAR_UNREFINED: int
ALL_BUT_KTH_UNREFINED: int

class Nearest:
    def __init__(self, *arguments: Any) -> None: ...

class Lists:
    def __init__(self, *arguments: Any) -> None: ...
    def __len__(self) -> int: ...
    def __getattr__(self, name: str) -> Any: ...

class Pass:
    def __init__(self, *arguments: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

def __getattr__(name: str) -> Any: ...
