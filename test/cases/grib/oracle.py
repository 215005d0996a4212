"""What ecCodes reads from GRIB2 files: python oracle.py FILE... > oracle.json"""
import json, os, sys
import eccodes as ec

result = {}
for path in sys.argv[1:]:
    if os.path.basename(path).startswith("refs-"):
        continue
    with open(path, "rb") as file:
        handle = ec.codes_grib_new_from_file(file)
    ec.codes_set(handle, "missingValue", 1e20)
    iterator = ec.codes_grib_iterator_new(handle, 0)
    points = []
    while True:
        point = ec.codes_grib_iterator_next(iterator)
        if not point:
            break
        points.append(point)
    ec.codes_grib_iterator_delete(iterator)
    values = [value for _, _, value in points if value < 1e19]
    step = max(1, len(points) // 120)
    result[os.path.basename(path)] = {
        "points": len(points),
        "missing": len(points) - len(values),
        "min": min(values),
        "max": max(values),
        "mean": sum(values) / len(values),
        "samples": [[round(lat, 6), round(lon, 6), value if value < 1e19 else None] for lat, lon, value in points[::step]],
    }
    ec.codes_release(handle)
print(json.dumps(result, separators=(",", ":")).replace('},"', '},\n"'))
