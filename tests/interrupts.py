"""An interrupt at each step of a call in turn, wherever the interpreter looks for signals."""

import dis
import sys
from types import ModuleType

_LOOKS = ("RESUME", "JUMP_BACKWARD")  # before these, and after calls


def interrupted_at_each_step(call, *modules: ModuleType):
    """Calls it again and again, with one interrupt in a function of the modules, which comes a step
    later each time; yields after each that was met, and ends with the call that none met."""
    files = {module.__file__ for module in modules}
    step, met = 0, True
    while met:
        step += 1
        left, met = step, False

        def trace(frame, event, _, after_call={}):  # noqa: B006 of this call alone
            nonlocal left, met
            code = frame.f_code
            if code.co_filename not in files:
                return None
            frame.f_trace_opcodes = True
            if event == "opcode" and not met:
                name = _names(code)[frame.f_lasti]
                looks = name.startswith(_LOOKS) or after_call.get(frame, False)
                after_call[frame] = name.startswith("CALL")
                left -= looks
                if looks and left == 0:
                    met = True
                    after_call.clear()
                    raise KeyboardInterrupt
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            call()
        except KeyboardInterrupt:
            assert met
        else:
            met = False
        finally:
            sys.settrace(before)
        if met:
            yield step


_known: dict = {}


def _names(code):
    """Of the instruction at each offset."""
    if code not in _known:
        _known[code] = [dis.opname[one] for one in code.co_code]
    return _known[code]
