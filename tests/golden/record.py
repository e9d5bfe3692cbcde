"""Write tests/golden/answers.json anew: python tests/golden/record.py"""

from golden_answers import answers, read, write
from golden_cases import CASES

if __name__ == "__main__":
    found = {}
    for name, case in CASES.items():
        first, *others = answers(case).values()
        if any(other != first for other in others):
            raise SystemExit(f"{name}: not the same on every path\n{answers(case)}")
        found[name] = first
    before = read()
    write(found)
    changed = [name for name in found if found[name] != before.get(name)]
    print(f"{len(found)} answers, {len(changed)} of them new or changed")
