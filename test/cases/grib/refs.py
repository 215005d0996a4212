"""Encodes REFS messages with ecCodes to refs-eccodes.grib2, and writes what ecCodes reads from all refs-*.grib2 to refs-oracle.json"""
import glob, json, math
import eccodes as ec
import numpy as np

KEYS = [
    "discipline", "parameterCategory", "parameterNumber", "typeOfFirstFixedSurface", "level",
    "dataDate", "dataTime", "validityDate", "validityTime", "numberOfDataPoints",
    "productDefinitionTemplateNumber", "typeOfGeneratingProcess", "dataRepresentationTemplateNumber",
]
TEMPLATE_KEYS = {
    2: ["derivedForecast", "numberOfForecastsInEnsemble"],
    12: ["derivedForecast", "numberOfForecastsInEnsemble", "lengthOfTimeRange", "typeOfStatisticalProcessing"],
    5: ["probabilityType", "forecastProbabilityNumber", "totalNumberOfForecastProbabilities"],
    9: ["probabilityType", "forecastProbabilityNumber", "totalNumberOfForecastProbabilities",
        "lengthOfTimeRange", "typeOfStatisticalProcessing"],
}
LIMITS = ["scaleFactorOfLowerLimit", "scaledValueOfLowerLimit", "scaleFactorOfUpperLimit", "scaledValueOfUpperLimit"]


def read(handle):
    keys = {key: ec.codes_get(handle, key, int) for key in KEYS}
    template = keys["productDefinitionTemplateNumber"]
    keys.update({key: ec.codes_get(handle, key, int) for key in TEMPLATE_KEYS[template]})
    if template in (5, 9):
        keys.update({key: None if ec.codes_is_missing(handle, key) else ec.codes_get(handle, key, int) for key in LIMITS})
    values = [float(value) for value in ec.codes_get_values(handle)]
    step = max(1, len(values) // 8)
    keys["mean"] = sum(values) / len(values)
    keys["samples"] = [[i, values[i]] for i in range(0, len(values), step)]
    return keys


def encode(number, product, values, packing):
    handle = ec.codes_grib_new_from_samples("GRIB2")
    about = {
        "centre": 7, "subCentre": 0, "tablesVersion": 2, "localTablesVersion": 1, "dataDate": 20260915, "dataTime": 1200,
        "gridType": "lambert", "shapeOfTheEarth": 6, "Nx": 31, "Ny": 19, "LaD": 38500000, "LoV": 262500000,
        "latitudeOfFirstGridPoint": 21138123, "longitudeOfFirstGridPoint": 237280472, "Dx": 180000000, "Dy": 180000000,
        "Latin1": 38500000, "Latin2": 38500000, "resolutionAndComponentFlags": 8, "scanningMode": 64,
        "productDefinitionTemplateNumber": number, "indicatorOfUnitOfTimeRange": 1, "generatingProcessIdentifier": 136,
    }
    for key, value in {**about, **product}.items():
        ec.codes_set(handle, key, value)
    if number in (9, 12):
        # The end of the interval is 12 UTC of the next day.
        for key, value in {"yearOfEndOfOverallTimeInterval": 2026, "monthOfEndOfOverallTimeInterval": 9, "dayOfEndOfOverallTimeInterval": 16,
                           "hourOfEndOfOverallTimeInterval": 12, "minuteOfEndOfOverallTimeInterval": 0, "secondOfEndOfOverallTimeInterval": 0}.items():
            ec.codes_set(handle, key, value)
    ec.codes_set(handle, "bitsPerValue", 16)
    ec.codes_set_values(handle, np.array(values, dtype=float))
    # ecCodes 2.50 packs values of a new message with complex packing as one value, so they are packed again.
    ec.codes_set(handle, "packingType", packing)
    message = ec.codes_get_message(handle)
    ec.codes_release(handle)
    return message


def surface(kind, value=0):
    return {"typeOfFirstFixedSurface": kind, "scaleFactorOfFirstFixedSurface": 0, "scaledValueOfFirstFixedSurface": value}


def parameter(category, number):
    return {"discipline": 0, "parameterCategory": category, "parameterNumber": number}


def probability(kind, limit, scale, members):
    side = "Lower" if kind == 0 else "Upper"
    return {"forecastProbabilityNumber": 0, "totalNumberOfForecastProbabilities": members, "probabilityType": kind,
            f"scaleFactorOf{side}Limit": scale, f"scaledValueOf{side}Limit": limit}


def window(hours):
    return {"forecastTime": 24 - hours, "typeOfStatisticalProcessing": 1, "typeOfTimeIncrement": 2,
            "indicatorOfUnitForTimeRange": 1, "lengthOfTimeRange": hours}


POINTS = 31 * 19
share = [round(50 + 50 * math.sin(k / 9)) for k in range(POINTS)]
field = [280 + 12 * math.sin(k / 11) + (k % 31) / 8 for k in range(POINTS)]
MADE = [
    (5, {**parameter(19, 0), **surface(1), "forecastTime": 24, **probability(0, 1600, 0, 14)}, share),
    (5, {**parameter(3, 5), **surface(215), "forecastTime": 24, **probability(0, 1524, 1, 13)}, share),
    (9, {**parameter(1, 29), **surface(1), **probability(1, 25, 3, 14), **window(24)}, share),
    (9, {**parameter(1, 8), **surface(1), **probability(1, 254, 3, 6), **window(1)}, share),
    (9, {**parameter(1, 8), **surface(1), **probability(1, 254, 3, 12), **window(6)}, share),
    (2, {**parameter(0, 0), **surface(103, 2), "forecastTime": 24, "derivedForecast": 1, "numberOfForecastsInEnsemble": 14}, field),
    (2, {**parameter(0, 0), **surface(103, 2), "forecastTime": 24, "derivedForecast": 4, "numberOfForecastsInEnsemble": 14},
     [value / 100 for value in field]),
    (12, {**parameter(1, 8), **surface(1), "derivedForecast": 1, "numberOfForecastsInEnsemble": 14, **window(1)},
     [max(0, value - 285) for value in field]),
]

with open("refs-eccodes.grib2", "wb") as file:
    for packing in ("grid_simple", "grid_complex_spatial_differencing"):
        for made in MADE:
            file.write(encode(*made, packing))

result = {}
for path in sorted(glob.glob("refs-*.grib2")):
    result[path] = []
    with open(path, "rb") as file:
        while handle := ec.codes_grib_new_from_file(file):
            result[path].append(read(handle))
            ec.codes_release(handle)
with open("refs-oracle.json", "w") as file:
    file.write(json.dumps(result, separators=(",", ":")).replace("},{", "},\n{"))
