"""Write tests/golden/answers.json anew: python tests/golden/record.py"""

from golden_answers import answers, read, write
from golden_cases import CASES

import prfast

if __name__ == "__main__":
    result = {}
    for name, case in CASES.items():
        on_paths = answers(case)
        result[name], *repeats = on_paths.values()
        if any(repeat != result[name] for repeat in repeats):
            raise SystemExit(f"{name}: one answer expected on all paths, got {on_paths}")
    before, _ = read()
    write(result)
    changed = [name for name in result if result[name] != before.get(name)]
    print(f"{len(result)} answers of {prfast.__file__}, {len(changed)} of them new or changed:")
    print(*changed, sep="\n")
