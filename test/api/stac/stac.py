"""Walks the catalog under /stac with pystac and validates every object by its JSON schemas. Arguments: base URL, key. Prints JSON."""

import json
import sys
import urllib.request

import pystac
from pystac.stac_io import DefaultStacIO

base, key = sys.argv[1:3]
auth = {"Authorization": f"Bearer {key}"}
io = DefaultStacIO(headers=auth)
out = {"collections": {}, "assets": 0}


def read(href, more=()):
    with urllib.request.urlopen(urllib.request.Request(href, headers={**auth, **dict(more)})) as response:
        return response.read()


catalog = pystac.Catalog.from_file(f"{base}/stac", stac_io=io)
catalog.validate()
for collection in catalog.get_children():
    collection.validate()
    items = list(collection.get_items())
    for item in items:
        item.validate()
    out["collections"][collection.id] = [item.id for item in items]
    newest = items[0]
    manifest = read(newest.assets["manifest"].href)
    assert manifest.startswith(b"HXM1 "), manifest[:20]
    tiles = [asset for name, asset in newest.assets.items() if name.endswith(".tile")]
    for asset in tiles:
        whole = read(asset.href)
        assert whole[:4] == b"HXT1" and len(whole) == asset.extra_fields["size"], asset.href
        assert read(asset.href, {"Range": "bytes=4-7"}.items()) == whole[4:8]
        out["assets"] += 1
    page = json.loads(read(f"{base}/stac/collections/{collection.id}/items?limit=2"))
    pages = [page]
    while any(link["rel"] == "next" for link in pages[-1]["links"]):
        pages.append(json.loads(read(next(link["href"] for link in pages[-1]["links"] if link["rel"] == "next"))))
    paged = pystac.ItemCollection([feature for one in pages for feature in one["features"]])
    assert [item.id for item in paged] == out["collections"][collection.id], collection.id
print(json.dumps(out))
