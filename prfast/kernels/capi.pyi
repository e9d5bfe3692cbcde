from typing import Any

ABI: tuple[int, int]
_C_API: Any
