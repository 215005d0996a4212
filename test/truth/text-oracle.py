"""What pyIEM reads of the MCD and MPD texts: `pip install pyiem==1.28.1`, then `python test/truth/text-oracle.py > test/truth/text-oracle.json`."""

import json
import pathlib
import sys

from pyiem.nws.products.mcd import parser
from pyiem.nws.ugc import UGCProvider

TEXTS = pathlib.Path("../shared/fixtures/text")
rows = {}
for folder in ("spc/mcd", "wpc/mpd"):
    for path in sorted((TEXTS / folder).rglob("*")):
        if path.suffix == ".txt":
            text = path.read_text()
        elif path.suffix == ".json" and "oracle" not in path.name:
            text = json.loads(path.read_text())["productText"]
        else:
            continue
        try:
            read = parser(text.strip().replace("\r", ""), ugc_provider=UGCProvider(legacy_dict={}), nwsli_provider={})
        except Exception as exp:
            print(path, exp, file=sys.stderr)
            continue
        rows[str(path.relative_to(TEXTS))] = {
            "number": read.discussion_num,
            "watch_probability": read.watch_prob,
            "valid": [read.sts.strftime("%Y-%m-%dT%H:%MZ"), read.ets.strftime("%Y-%m-%dT%H:%MZ")],
            "attention": read.attn_wfo,
            "concerning": read.concerning,
            "areas_affected": read.areas_affected,
            "ring": [[round(x, 2), round(y, 2)] for x, y in read.geometry.exterior.coords],
        }
print("{\n" + ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()) + "\n}")
