"""What the peer reads: one row a variable. Values are stored as uint16: value = (q - zero) * scale, q = 0 is missing."""
import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Var:
    name: str
    element: str            # .idx name
    level: str              # .idx level
    scale: float
    zero: int = 1
    window: int = 0         # hours of the accumulation, 0 = instant
    extra: str = ''         # start of the rest of the .idx line


M2, M10, SFC = '2 m above ground', '10 m above ground', 'surface'
NBM = [
    Var('temperature', 'TMP', M2, 0.1), Var('dew_point', 'DPT', M2, 0.1), Var('humidity', 'RH', M2, 1),
    Var('wind_speed', 'WIND', M10, 0.1), Var('wind_direction', 'WDIR', M10, 1), Var('wind_gust', 'GUST', M10, 0.1),
    Var('cloud_cover', 'TCDC', SFC, 1), Var('visibility', 'VIS', SFC, 2), Var('ceiling', 'CEIL', 'cloud ceiling', 2),
    Var('precip_1h', 'APCP', SFC, 0.005, window=1), Var('pop_1h', 'APCP', SFC, 1, window=1, extra='prob >0.254'),
    Var('precip_6h', 'APCP', SFC, 0.005, window=6), Var('pop_6h', 'APCP', SFC, 1, window=6, extra='prob >0.254'),
    Var('snow_1h', 'ASNOW', SFC, 0.001, window=1), Var('thunder', 'TSTM', SFC, 1, window=1, extra='probability'),
    Var('rain_prob', 'PTYPE', SFC, 0.1, extra='prob >=1 <2'), Var('freezing_rain_prob', 'PTYPE', SFC, 0.1, extra='prob >=3 <4'),
    Var('snow_prob', 'PTYPE', SFC, 0.1, extra='prob >=5 <7'), Var('ice_pellets_prob', 'PTYPE', SFC, 0.1, extra='prob >=8 <9'),
    Var('temperature_stddev', 'TMP', M2, 0.01, extra='ens std dev'),
    Var('tmax_12h', 'TMAX', M2, 0.1, window=12), Var('tmin_12h', 'TMIN', M2, 0.1, window=12),
]
HRRR = [
    Var('temperature', 'TMP', M2, 1 / 32), Var('dew_point', 'DPT', M2, 1 / 32), Var('u', 'UGRD', M10, 1 / 16, 32768), Var('v', 'VGRD', M10, 1 / 16, 32768),
    Var('wind_gust', 'GUST', SFC, 1 / 16), Var('visibility', 'VIS', SFC, 2), Var('pressure', 'MSLMA', 'mean sea level', 4), Var('surface_pressure', 'PRES', SFC, 4),
    Var('precip_1h', 'APCP', SFC, 0.005, window=1), Var('cape', 'CAPE', SFC, 4), Var('cloud_cover', 'TCDC', 'entire atmosphere', 1),
    Var('cloud_low', 'LCDC', 'low cloud layer', 1), Var('cloud_mid', 'MCDC', 'middle cloud layer', 1), Var('cloud_high', 'HCDC', 'high cloud layer', 1),
    Var('ceiling', 'HGT', 'cloud ceiling', 2), Var('is_rain', 'CRAIN', SFC, 1), Var('is_snow', 'CSNOW', SFC, 1), Var('is_freezing', 'CFRZR', SFC, 1), Var('is_ice', 'CICEP', SFC, 1),
]
RTMA = [
    Var('temperature', 'TMP', M2, 0.05), Var('dew_point', 'DPT', M2, 0.05), Var('u', 'UGRD', M10, 0.05, 32768), Var('v', 'VGRD', M10, 0.05, 32768),
    Var('wind_gust', 'GUST', M10, 0.05), Var('visibility', 'VIS', SFC, 2), Var('ceiling', 'CEIL', 'cloud ceiling', 2), Var('surface_pressure', 'PRES', SFC, 4),
    Var('cloud_cover', 'TCDC', 'entire atmosphere (considered as a single layer)', 1),
]

# dataset: bucket host, key pattern (groups: date, hour[+minute], lead), variables, inner chunk edge
DATASETS = {
    'nbm': ('noaa-nbm-grib2-pds.s3.amazonaws.com', r'blend\.(\d{8})/(\d\d)/core/blend\.t\d\dz\.core\.f(\d{3})\.co\.grib2$', NBM, 8),
    'hrrr': ('noaa-hrrr-bdp-pds.s3.amazonaws.com', r'hrrr\.(\d{8})/conus/hrrr\.t(\d\d)z\.wrfsfcf(\d\d)\.grib2$', HRRR, 8),
    'rtma': ('noaa-rtma-pds.s3.amazonaws.com', r'rtma2p5\.(\d{8})/rtma2p5\.t(\d\d)z\.2dvaranl_ndfd(\.)grb2_wexp$', RTMA, 32),
}


class Lambert:
    """Lambert conformal, sphere, one standard parallel: nearest grid point, and how far grid north leans from true north."""

    def __init__(self, nx, ny, lat1, lon1, lov, latin, dx, radius, **_):
        self.nx, self.ny, self.lov, self.dx = nx, ny, lov, dx
        p = math.radians(latin)
        self.n = math.sin(p)
        self.rf = radius * math.cos(p) * math.tan(math.pi / 4 + p / 2) ** self.n / self.n
        self.x0, self.y0 = self.xy(lat1, lon1)

    def xy(self, lat, lon):
        rho = self.rf / math.tan(math.pi / 4 + math.radians(lat) / 2) ** self.n
        a = self.lean(lon)
        return rho * math.sin(a), -rho * math.cos(a)

    def lean(self, lon):
        """Radians; true u = u cos + v sin, true v = v cos - u sin."""
        return self.n * math.radians((lon - self.lov + 540) % 360 - 180)

    def nearest(self, lat, lon):
        x, y = self.xy(lat, lon)
        i, j = round((x - self.x0) / self.dx), round((y - self.y0) / self.dx)
        return (i, j) if 0 <= i < self.nx and 0 <= j < self.ny else None
