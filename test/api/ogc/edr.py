"""Reads documents of /edr with edr-pydantic, covjson-pydantic and OWSLib. Arguments: base URL, key. Prints JSON."""

import json
import sys
import urllib.parse
import urllib.request

from covjson_pydantic.coverage import Coverage, CoverageCollection
from edr_pydantic.capabilities import ConformanceModel, LandingPageModel
from edr_pydantic.collections import Collection, Collections, Instances
from owslib.ogcapi.edr import EnvironmentalDataRetrieval

base, key = sys.argv[1:3]
auth = {"Authorization": f"Bearer {key}"}
out = {}


def text(path):
    with urllib.request.urlopen(urllib.request.Request(base + path, headers=auth)) as response:
        return response.read().decode()


LandingPageModel.model_validate_json(text("/edr"))
ConformanceModel.model_validate_json(text("/edr/conformance"))
collections = Collections.model_validate_json(text("/edr/collections"))
out["collections"] = [one.id for one in collections.collections]
Collection.model_validate_json(text("/edr/collections/nbm-conus"))
out["instances"] = len(Instances.model_validate_json(text("/edr/collections/nbm-conus/instances")).instances)

names = "parameter-name=temperature,wind_speed"
root = f"/edr/collections/nbm-conus"
point = urllib.parse.quote("POINT(-104.99 39.74)")
polygon = urllib.parse.quote("POLYGON((-105.2 39.6,-104.8 39.6,-104.8 39.9,-105.2 39.6))")
for name, path in {
    "position": f"{root}/position?coords={point}&{names}",
    "radius": f"{root}/radius?coords={point}&within=12&within-units=km&{names}",
    "area": f"{root}/area?coords={polygon}&{names}",
    "location": f"{root}/locations/KDEN?{names}",
    "place": f"{root}/locations/denver-co?{names}",
}.items():
    read = CoverageCollection.model_validate_json(text(path))
    first = read.coverages[0]
    out[name] = {
        "coverages": len(read.coverages),
        "times": len(first.domain.axes.t.values),
        "values": first.ranges["temperature"].values,
        "unit": read.parameters.root["temperature"].unit.symbol.value,
    }
cube = Coverage.model_validate_json(text(f"{root}/cube?bbox=-105.5,39.5,-104.5,40.5&resolution-x=4&resolution-y=3&{names}"))
out["cube"] = {"shape": cube.ranges["temperature"].shape, "axes": cube.ranges["temperature"].axisNames}

edr = EnvironmentalDataRetrieval(base + "/edr/", headers=auth)
answer = edr.query_data("nbm-conus", "position", coords="POINT(-104.99 39.74)", parameter_names=["temperature"])
out["owslib"] = {"collections": len(edr.collections()["collections"]), "position": answer["type"]}
print(json.dumps(out))
