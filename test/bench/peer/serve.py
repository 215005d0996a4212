"""The peer's interface: FastAPI with an LRU, over the store in PEER_STORE. A cold answer reads one chunk of each variable."""
import json, os
from functools import lru_cache
from math import cos, pi, radians, sin, tan

import numcodecs
import numpy as np
from fastapi import FastAPI
from fastapi.responses import Response

STORE = os.environ["PEER_STORE"]
RADIUS = 6371200.0
zstd = numcodecs.Zstd()
arrays = []
for name in sorted(os.listdir(STORE)):
    with open(f"{STORE}/{name}/.zarray") as about, open(f"{STORE}/{name}/.zattrs") as attrs:
        arrays.append((name, json.load(about), json.load(attrs)))
app = FastAPI()


def index_of(grid, lat, lon):
    """Column and row on a Lambert grid with one standard parallel."""
    n = sin(radians(grid["Latin1"]))
    f = cos(radians(grid["Latin1"])) * tan(pi / 4 + radians(grid["Latin1"]) / 2) ** n / n

    def project(lat, lon):
        rho = RADIUS * f / tan(pi / 4 + radians(lat) / 2) ** n
        turn = n * radians((lon - grid["LoV"] + 540) % 360 - 180)
        return rho * sin(turn), -rho * cos(turn)

    x, y = project(lat, lon)
    x0, y0 = project(grid["latitudeOfFirstGridPoint"], grid["longitudeOfFirstGridPoint"])
    return round((x - x0) / grid["DxInMetres"]), round((y - y0) / grid["DxInMetres"])


@lru_cache(20000)
def answer(lat, lon):
    hourly = {}
    for name, about, attrs in arrays:
        i, j = index_of(attrs, lat, lon)
        if not (0 <= i < attrs["Nx"] and 0 <= j < attrs["Ny"]):
            continue
        _, height, width = about["chunks"]
        try:
            with open(f"{STORE}/{name}/0.{j // height}.{i // width}", "rb") as chunk:
                block = np.frombuffer(zstd.decode(chunk.read()), "<i2").reshape(about["chunks"])
        except FileNotFoundError:
            continue
        codes = block[:, j % height, i % width]
        values = np.round(codes * attrs["scale"] + attrs["offset"], 2).tolist()
        hourly[name] = [
            {"lead": lead, "value": None if code == -32768 else value}
            for lead, code, value in zip(attrs["leads"], codes.tolist(), values)
        ]
    return json.dumps({"lat": lat, "lon": lon, "hourly": hourly}).encode()


@app.get("/weather")
def weather(lat: float, lon: float):
    return Response(answer(round(lat, 4), round(lon, 4)), media_type="application/json")
