"""Runs the code of a notebook and prints its series `denver` (°C) by time, as JSON."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    notebook = json.load(file)
scope: dict = {}
for number, cell in enumerate(notebook["cells"]):
    if cell["cell_type"] != "code":
        continue
    if cell["outputs"] or cell["execution_count"] is not None:
        sys.exit(f"cell {number} has outputs: clear them")
    exec(compile("".join(cell["source"]), f"{sys.argv[1]} cell {number}", "exec"), scope)
series = scope["denver"]
print(json.dumps({str(time)[:19].replace(" ", "T") + "Z": round(float(value), 3) for time, value in series.items()}))
