#!/usr/bin/env python3
"""The peer's service: FastAPI on uvicorn (uvloop, httptools), orjson, whole answers in an LRU.

  serve.py --store DIR --port P [--workers N] [--hourly 48] [--daily 10]     GET /weather?lat&lon
"""
import argparse, datetime as dt, math, os, sys, time
from collections import OrderedDict

import numpy as np
import orjson
from fastapi import FastAPI, Response

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from reader import Run, newest

STORE = os.environ.get('PEER_STORE', '')
HOURLY, DAILY, KEEP = (int(os.environ.get(k, d)) for k, d in (('PEER_HOURLY', 48), ('PEER_DAILY', 10), ('PEER_LRU', 4096)))
UTC = dt.timezone.utc
HOURLY_NBM = ['temperature', 'dew_point', 'humidity', 'wind_speed', 'wind_direction', 'wind_gust', 'cloud_cover', 'visibility', 'ceiling',
              'rain_prob', 'freezing_rain_prob', 'snow_prob', 'ice_pellets_prob', 'temperature_stddev']
FIRST_36 = ['precip_1h', 'pop_1h', 'snow_1h', 'thunder']
CONDITIONS = [('Clear', 'clear-day'), ('Mostly Clear', 'mostly-clear-day'), ('Partly Cloudy', 'partly-cloudy-day'), ('Mostly Cloudy', 'mostly-cloudy-day'), ('Cloudy', 'cloudy'),
              ('Rain', 'rain'), ('Snow', 'snow'), ('Freezing Rain', 'freezing-rain'), ('Thunderstorms', 'thunderstorms'), ('Fog', 'fog')]
CONDITION, ICON = [c for c, _ in CONDITIONS], [i for _, i in CONDITIONS]
KINDS = np.array(['none', 'rain', 'freezing_rain', 'snow', 'ice_pellets'], object)
iso = lambda t: t.strftime('%Y-%m-%dT%H:%M:%SZ')


class Outside(Exception):
    pass


class Held:
    """The runs now served, and what depends on them alone."""

    def __init__(self, store):
        self.paths = {d: newest(store, d) for d in ('nbm', 'hrrr', 'rtma')}
        self.nbm, self.hrrr, self.rtma = (Run(self.paths[d]) for d in ('nbm', 'hrrr', 'rtma'))
        self.steady, self.early = self.nbm.group(HOURLY_NBM), self.nbm.group(FIRST_36)
        six = [n for n in ('precip_6h', 'pop_6h') if n in self.nbm.vars]
        self.six = self.nbm.group(six) if len(six) == 2 else None
        self.air = self.hrrr.group(['pressure', 'cape', 'cloud_low', 'cloud_mid', 'cloud_high', 'u', 'v'])
        self.now = self.rtma.group(list(self.rtma.vars))
        day = lambda s: dt.datetime.strptime(s, '%Y%m%d%H' if len(s) == 10 else '%Y%m%d%H%M').replace(tzinfo=UTC)
        self.nbm_ref, self.hrrr_ref, self.rtma_ref = day(self.nbm.run), day(self.hrrr.run), day(self.rtma.run)
        hour = dt.datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
        first, last = self.nbm_ref + dt.timedelta(hours=1), self.nbm_ref + dt.timedelta(hours=int(self.early.leads[-1]))
        self.start = min(max(hour, first), max(first, last - dt.timedelta(hours=34)))
        self.times = [self.start + dt.timedelta(hours=k) for k in range(HOURLY)]
        self.iso = [iso(t) for t in self.times]
        lead = lambda ref: np.array([(t - ref).total_seconds() / 3600 for t in self.times])
        self.at_nbm, self.at_early, self.at_air = between(self.steady.leads, lead(self.nbm_ref)), between(self.early.leads, lead(self.nbm_ref)), between(self.air.leads, lead(self.hrrr_ref))
        leads = self.steady.leads
        self.early_on_steady, self.step = between(self.early.leads, leads), np.gradient(leads)
        self.six_on_steady = self.six and between(self.six.leads, leads)
        self.meta = {'schema_version': '1.0.0', 'generated_at': iso(dt.datetime.now(UTC)), 'warnings': [],
                     'freshness': [{'source': s, 'product_id': s, 'reference_time': iso(r), 'age_seconds': int((dt.datetime.now(UTC) - r).total_seconds())}
                                   for s, r in (('nbm', self.nbm_ref), ('hrrr', self.hrrr_ref), ('rtma', self.rtma_ref))]}


def between(leads, want):
    """Column before, column after and weight of every wanted lead; outside: a column past the end (NaN)."""
    n = len(leads)
    hi = np.searchsorted(leads, want)
    ok = (want >= leads[0]) & (want <= leads[-1])
    hi = np.where(ok, hi, n)
    lo = np.where(ok, np.maximum(hi - (leads[np.minimum(hi, n - 1)] != want), 0), n)
    span = np.where(ok & (hi > lo), leads[np.minimum(hi, n - 1)] - leads[np.minimum(lo, n - 1)], 1)
    w = np.where(ok & (hi > lo), (want - leads[np.minimum(lo, n - 1)]) / span, 0.0)
    return lo, hi, w, not w.any()


def onto(values, at):
    lo, hi, w, exact = at
    v = np.empty((values.shape[0], values.shape[1] + 1))
    v[:, :-1] = values
    v[:, -1] = np.nan
    return v[:, lo] if exact else v[:, lo] * (1 - w) + v[:, hi] * w


held, checked, cache = None, 0.0, OrderedDict()
def current_runs():
    global held, checked
    t = time.monotonic()
    if held is None or t - checked > 1:
        checked = t
        if held is None or held.paths != {d: newest(STORE, d) for d in held.paths}:
            held = Held(STORE)
            cache.clear()
    return held


def where(run, lat, lon):
    at = run.grid.nearest(lat, lon)
    if at is None:
        raise Outside
    return at


def true_wind(run, u, v, lon):
    a = run.grid.lean(lon)
    c, s = math.cos(a), math.sin(a)
    e, n = u * c + v * s, v * c - u * s
    return np.hypot(e, n), np.mod(np.degrees(np.arctan2(-e, -n)), 360)


def feels_like(f, rh, mph):
    chill = 35.74 + 0.6215 * f - (35.75 - 0.4275 * f) * np.power(np.maximum(mph, 0.1), 0.16)
    heat = (-42.379 + 2.04901523 * f + 10.14333127 * rh - .22475541 * f * rh - .00683783 * f * f - .05481717 * rh * rh + .00122874 * f * f * rh + .00085282 * f * rh * rh - .00000199 * f * f * rh * rh)
    return np.where((f <= 50) & (mph > 3), chill, np.where(f >= 80, heat, f))


def sky(cloud, pop, kind, thunder, vis):
    base = np.searchsorted([12.5, 37.5, 62.5, 87.5], np.nan_to_num(cloud))
    wet = np.nan_to_num(pop) >= 30
    return np.where(np.nan_to_num(thunder) >= 30, 8, np.where(wet, np.choose(kind, [5, 5, 7, 6, 6]), np.where(np.nan_to_num(vis, nan=99) < 0.625, 9, base)))


def rounded(matrix, steps):
    return (np.rint(matrix * steps) / steps).tolist()


HOUR_KEYS = ['temperature', 'feels_like', 'humidity', 'wind_speed', 'precip_probability', 'precip_amount', 'wind_gust', 'dew_point', 'cloud_cover', 'visibility', 'pressure', 'thunderstorm_probability',
             'precip_type_rain_prob', 'precip_type_snow_prob', 'precip_type_freezing_rain_prob', 'precip_type_ice_pellets_prob', 'cape', 'snow_amount', 'cloud_ceiling',
             'cloud_cover_low', 'cloud_cover_mid', 'cloud_cover_high', 'wind_direction']
HOUR_STEPS = np.array([10, 10, 1, 10, 1, 1000, 10, 10, 1, 100, 1000, 1, 1, 1, 1, 1, 1, 100, 1, 1, 1, 1, 1], float)[:, None]
HALF_KEYS = ['temperature', 'wind_speed', 'precip_probability', 'precip_total', 'snow_total', 'humidity', 'cloud_cover', 'wind_gust', 'dew_point', 'feels_like', 'visibility', 'cloud_ceiling', 'thunderstorm_probability', 'wind_direction']


def imperial(v, early):
    """Rows of HOURLY_NBM and FIRST_36 in the units of the answer."""
    t, d, rh, ws, wd, wg, cc, vis, ceil = v[:9]
    f, mph = (t - 273.15) * 1.8 + 32, ws * 2.2369362921
    return f, (d - 273.15) * 1.8 + 32, rh, mph, wd, wg * 2.2369362921, cc, vis / 1609.344, np.where(ceil > 80000, np.nan, ceil) / 0.3048, feels_like(f, rh, mph), early[0] / 25.4, early[1], early[2] * 1000 / 25.4, early[3]


def precip_kind(v, pop):
    return np.where(np.nan_to_num(pop) >= 15, 1 + np.argmax(np.nan_to_num(v[9:13]), axis=0), 0)


def daily(h, v, early, six, lon):
    """Rows by local date (solar offset), halves 06-17 and 18-05, over every lead that is held."""
    leads = h.steady.leads
    e = onto(early, h.early_on_steady)
    if six is not None:
        s = onto(six, h.six_on_steady)
        late = np.isnan(e[0])
        e[0], e[1] = np.where(late, s[0] / 6 * h.step, e[0]), np.where(late, s[1], e[1])
    cols = np.array(imperial(v, e))
    f, dew, rh, mph, wd, gust, cc, vis, ceil, feel, rain, pop, snow, thunder = cols
    kind = precip_kind(v, pop)
    code = sky(cc, pop, kind, thunder, vis)
    local = h.nbm_ref.hour + leads + round(lon / 15)
    half = (local - 6) // 12
    cut = np.flatnonzero(np.diff(half, prepend=half[0] - 1))
    hi, lo, total = np.fmax.reduceat(cols, cut, axis=1), np.fmin.reduceat(cols, cut, axis=1), np.add.reduceat(np.nan_to_num(cols), cut, axis=1)
    count = np.diff(np.append(cut, len(leads)))
    worst = np.maximum.reduceat(code, cut)
    kinds = np.maximum.reduceat(kind, cut)
    table = {}
    date0 = h.nbm_ref.date()
    day_rows = np.array([hi[0], total[3] / count, hi[11], total[10], total[12], total[2] / count, total[6] / count, hi[5], total[1] / count, hi[9], lo[7], lo[8], hi[13], wd[cut]])
    night_rows = day_rows.copy()
    night_rows[0], night_rows[9] = lo[0], lo[9]
    steps = np.array([10, 10, 1, 1000, 100, 1, 1, 10, 10, 10, 100, 1, 1, 1], float)[:, None]
    rows = list(zip(*rounded(np.where(half[cut] % 2 == 0, day_rows, night_rows), steps)))
    for k, (b, r) in enumerate(zip(half[cut].tolist(), rows)):
        c = worst[k]
        p = dict(zip(HALF_KEYS, r))
        p.update(precip_type=KINDS[kinds[k]], conditions=CONDITION[c], icon=ICON[c], thunder_possible=bool(c == 8), severe=False, ice_total=None, pressure=None, uv_index=None, cape=None, aqi=None,
                 narrative=f'{CONDITION[c]}, {"high" if b % 2 == 0 else "low"} near {r[0]:.0f}.')
        table[b] = p
    out = []
    first = int(half[cut[0]] // 2)
    for n in range(first, first + DAILY):
        day, night = table.get(2 * n), table.get(2 * n + 1)
        some = [x for x in (day, night) if x]
        top = lambda k, f=max: f((x[k] for x in some if x[k] == x[k] and x[k] is not None), default=None)
        add = lambda k: round(sum(x[k] for x in some), 3) if some else None
        mean = lambda k: round(sum(x[k] for x in some) / len(some), 1) if some else None
        lead_half = day or night
        out.append({'date': (date0 + dt.timedelta(days=n)).isoformat(), 'relative_day': n - first, 'active_period': None, 'high': day and day['temperature'], 'low': night and night['temperature'],
                    'precip_probability': top('precip_probability'), 'precip_total': add('precip_total'), 'snow_total': add('snow_total'), 'ice_total': None, 'wind_speed_max': top('wind_speed'),
                    'wind_gust_max': top('wind_gust'), 'humidity_avg': mean('humidity'), 'cloud_cover_avg': mean('cloud_cover'), 'uv_index_max': None, 'cape_max': None, 'dew_point_max': top('dew_point'),
                    'dew_point_min': top('dew_point', min), 'pressure_avg': None, 'visibility_min': top('visibility', min), 'cloud_ceiling_min': top('cloud_ceiling', min),
                    'thunderstorm_probability_max': top('thunderstorm_probability'), 'aqi_max': None, 'feels_like_high': day and day['feels_like'], 'feels_like_low': night and night['feels_like'],
                    'solar_radiation_max': None, 'snow_level': None, 'wind_direction': lead_half and lead_half['wind_direction'], 'conditions': lead_half and lead_half['conditions'], 'icon': lead_half and lead_half['icon'],
                    'severe': False, 'thunder_possible': any(x['thunder_possible'] for x in some), 'threats': [], 'day': day, 'night': night})
    return out


def weather(lat, lon):
    h = current_runs()
    i, j = where(h.nbm, lat, lon)
    v, early = h.steady.read(i, j), h.early.read(i, j)
    six = h.six.read(i, j) if h.six else None
    hx = h.hrrr.grid.nearest(lat, lon)
    air = h.air.read(*hx) if hx else np.full((7, len(h.air.leads)), np.nan)
    a = onto(air, h.at_air)
    hv, he = onto(v, h.at_nbm), onto(early, h.at_early)
    if not h.at_nbm[3]:
        hv[4] = onto(v[4:5], (h.at_nbm[0], h.at_nbm[0], h.at_nbm[2] * 0, True))[0]
    f, dew, rh, mph, wd, gust, cc, vis, ceil, feel, rain, pop, snow, thunder = imperial(hv, he)
    kind = precip_kind(hv, pop)
    code = sky(cc, pop, kind, thunder, vis)
    rows = rounded(np.array([f, feel, rh, mph, pop, rain, gust, dew, cc, vis, a[0] * 0.000295299831, thunder, hv[9], hv[11], hv[10], hv[12], a[1], snow, ceil, a[2], a[3], a[4], wd]), HOUR_STEPS)
    hourly = [dict(zip(HOUR_KEYS, r)) for r in zip(*rows)]
    for row, t, c, k, th in zip(hourly, h.iso, code.tolist(), kind.tolist(), (np.nan_to_num(thunder) >= 15).tolist()):
        row['time'] = t
        row['conditions'], row['icon'], row['precip_type'], row['thunder_possible'], row['severe'] = CONDITION[c], ICON[c], KINDS[k], th, False
        row['uv_index'] = row['aqi'] = row['snow_level'] = None
    ri, rj = where(h.rtma, lat, lon)
    n = dict(zip(h.now.names, h.now.read(ri, rj)[:, 0].tolist()))
    speed, direction = true_wind(h.rtma, n['u'], n['v'], lon)
    cf, cd = (n['temperature'] - 273.15) * 1.8 + 32, (n['dew_point'] - 273.15) * 1.8 + 32
    es = lambda t: 17.625 * (t - 273.15) / (t - 30.11)
    crh = 100 * math.exp(es(n['dew_point']) - es(n['temperature']))
    up = lambda x, d=1: round(float(x), d) if x == x else None
    first = hourly[0]
    current = {'time': iso(h.rtma_ref), 'temperature': up(cf), 'feels_like': up(feels_like(cf, crh, speed * 2.2369)), 'humidity': up(crh, 0), 'dew_point': up(cd), 'pressure': up(n['surface_pressure'] * 0.000295299831, 3),
               'wind_speed': up(speed * 2.2369362921), 'wind_gust': up(n['wind_gust'] * 2.2369362921), 'wind_direction': int(direction), 'visibility': up(n['visibility'] / 1609.344, 2), 'cloud_cover': up(n['cloud_cover'], 0),
               'cloud_ceiling': up(n['ceiling'] / 0.3048, 0), 'cloud_cover_low': first['cloud_cover_low'], 'cloud_cover_mid': first['cloud_cover_mid'], 'cloud_cover_high': first['cloud_cover_high'], 'uv_index': None,
               'pm25': None, 'ozone': None, 'pm10': None, 'aqi': None, 'precip_rate': None, 'precip_24h': None, 'lightning_density': None, 'lightning_prob': None, 'precip_type': first['precip_type'],
               'conditions': first['conditions'], 'icon': first['icon'], 'severe': False}
    return {'location': {'lat': lat, 'lon': lon, 'name': '', 'timezone': 'Etc/UTC'}, 'current': current, 'hourly': hourly, 'daily': daily(h, v, early, six, lon), 'gis': {'lat': lat, 'lon': lon, 'timezone': 'Etc/UTC'},
            'units': {'temperature': 'F', 'wind_speed': 'mph', 'pressure': 'inHg', 'visibility': 'mi', 'precip_amount': 'in', 'altitude': 'ft', 'solar_radiation': 'W/m^2'},
            'attribution': {'sources': ['NOAA NBM', 'NOAA HRRR', 'NOAA RTMA'], 'notice': 'Derived from public NOAA products.'}, 'meta': h.meta}


def answer(kind, make, lat, lon):
    lat, lon = round(lat, 4), round(lon, 4)
    current_runs()
    key = (kind, lat, lon)
    body = cache.get(key)
    if body is None:
        try:
            body = orjson.dumps(make(lat, lon))
        except Outside:
            return Response(b'{"type":"outside-coverage","status":404}', 404, media_type='application/problem+json')
        cache[key] = body
        if len(cache) > KEEP:
            cache.popitem(last=False)
    else:
        cache.move_to_end(key)
    return Response(body, headers={'cache-control': 'max-age=300'}, media_type='application/json')


app = FastAPI(openapi_url=None)
@app.get('/weather')
async def get_weather(lat: float, lon: float):
    return answer('weather', weather, lat, lon)
@app.get('/readyz')
async def ready():
    current_runs()
    return Response(b'ok')


if __name__ == '__main__':
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument('--store', required=True); ap.add_argument('--port', type=int, required=True); ap.add_argument('--workers', type=int, default=1)
    ap.add_argument('--hourly', type=int, default=48); ap.add_argument('--daily', type=int, default=10); ap.add_argument('--lru', type=int, default=4096)
    a = ap.parse_args()
    os.environ.update(PEER_STORE=os.path.abspath(a.store), PEER_HOURLY=str(a.hourly), PEER_DAILY=str(a.daily), PEER_LRU=str(a.lru))
    import uvicorn
    uvicorn.run('serve:app', app_dir=os.path.dirname(os.path.abspath(__file__)), host='127.0.0.1', port=a.port, workers=a.workers, loop='uvloop', http='httptools', access_log=False, log_level='warning')
