"""Compares our METAR decoder with two independent ones over every fixture row.

    pip install metar avwx-engine
    node test/truth/metar-rows.ts | python test/truth/metar-oracles.py

Prints how many values agree and, for each named kind of difference, how many there are. A difference that no rule
names is printed whole and makes the exit status 1.
"""
import collections
import json
import re
import sys
import warnings

warnings.filterwarnings('ignore')
from avwx.current import metar as avwx_metar
from metar import Metar

KNOT = 1852 / 3600


def near(a, b, tolerance):
    return (a is None and b is None) or (a is not None and b is not None and abs(a - b) <= tolerance)


def from_python_metar(raw):
    m = Metar.Metar(raw, strict=False, year=2025, month=1)
    value = lambda q, unit: None if q is None else q.value(unit)
    return dict(
        direction=None if m.wind_dir is None else m.wind_dir.value(), speed=value(m.wind_speed, 'MPS'),
        gust=value(m.wind_gust, 'MPS'), visibility=value(m.vis, 'M'), temperature=value(m.temp, 'C'),
        dew_point=value(m.dewpt, 'C'), pressure=None if m.press is None else m.press.value('HPA') * 100,
        sky=[(cover, value(base, 'FT')) for cover, base, _ in m.sky])


def from_avwx(raw):
    data, units, _ = avwx_metar.parse(raw[:4], raw)
    value = lambda number: None if number is None else number.value
    knots = {'kt': KNOT, 'm/s': 1, 'km/h': 1 / 3.6}[units.wind_speed]
    scaled = lambda number, factor: None if value(number) is None else value(number) * factor
    info = data.remarks_info
    exact = lambda whole, tenths: value(tenths) if tenths is not None else value(whole)
    altimeter = value(data.altimeter)
    return dict(
        direction=value(data.wind_direction), speed=scaled(data.wind_speed, knots), gust=scaled(data.wind_gust, knots),
        visibility=scaled(data.visibility, 1609.344 if units.visibility == 'sm' else 1),
        temperature=exact(data.temperature, info and info.temperature_decimal),
        dew_point=exact(data.dewpoint, info and info.dewpoint_decimal),
        pressure=None if altimeter is None else altimeter * (3386.389 if units.altimeter == 'inHg' else 100),
        sky=[(c.type, None if c.base is None else c.base * 100) for c in data.clouds])


TOLERANCE = dict(direction=0.5, speed=0.01, gust=0.01, visibility=1, temperature=0.051, dew_point=0.051, pressure=10)


# Reports whose differences are single: malformed groups, and faults of one oracle.
SINGLE = {
    'RJOC 180705Z': 'avwx orders layers by height',
    'UTAV 180700Z': 'avwx orders layers by height',
    'VETJ 070400Z': 'avwx orders layers by height',
    'UTAA 070400Z': 'avwx orders layers by height',
    'SKMZ 031900Z': 'avwx orders layers by height',
    'MDJB 031900Z': 'avwx orders layers by height',
    'YMML 180730Z': 'python-metar reads the period of an INTER trend as pressure',
    'WARQ 180700Z': '1007 without Q is no altimeter group',
    'OPNH 180700Z': '31503KT 2200M Q.1020 : groups of no known form',
    'SAWE 180700Z': 'BKNE019 is no sky group',
    'CYYH 180700Z': 'avwx reads neither wind nor visibility after CCA',
    'CYQD 180700Z': 'avwx reads neither wind nor visibility after CCA',
    'KMWN 180652Z': 'avwx does not read sixteenths',
    'SKRG 070431Z': 'BKN00615/15: a lost blank',
    'K1YT 070430Z': 'avwx takes the second of two VIS values',
    'KCEF 070427Z': 'avwx takes the second of two VIS values',
    'KMUI 070423Z': 'avwx takes the second of two VIS values',
    'PWAK 031935Z': 'avwx reads 2 3/4 as 1 1/4',
    'SKMR 070400Z': 'SCTO15 has a letter O',
    'MYCB 070400Z': 'avwx takes ///V/// for visibility',
    'EDHK 031920Z': 'avwx takes ///V/// for visibility',
    'LIRX 070355Z': '36000KT is calm',
    'VAAH 031930Z': 'python-metar stops at R/05',
    'EKBI 031920Z': 'python-metar stops at RERA before the sky',
    'MHPL 031900Z': 'python-metar takes 999 for pressure',
    'PAWG 031856Z': 'SFEW040 is no sky group',
    'MMZC 031840Z': 'E36006KT is no wind group',
    'MMGA 031840Z': 'E04003KT is no wind group',
}


def body_of(raw):
    return re.split(r' (?:RMK|TEMPO|BECMG|NOSIG)', raw)[0]


def named(field, ours, theirs, raw, oracle):
    """The rule by which a difference is right, or None."""
    if raw[:12] in SINGLE:
        return SINGLE[raw[:12]]
    body = body_of(raw)
    if field == 'direction' and ours is None and theirs == 0:
        return 'a calm wind has no direction (contract)'
    if field == 'visibility':
        if theirs == 9999 and ours == 10000 or 'CAVOK' in body and ours == 10000:
            return '9999 and CAVOK are 10 km (contract)'
        if ours is None and re.search(r' ////(SM)?( |$)', body):
            return 'python-metar reads //// as 10 km'
        if oracle == 'avwx' and re.search(r' P6SM| M\d/\dSM|[MP]\d{4}', body):
            return 'avwx gives no number for M and P visibilities'
    if field in ('temperature', 'dew_point'):
        if ours is None and field == 'dew_point' and theirs is not None:
            return 'a dew point above the temperature is null (contract)'
        if re.search(r' T[01]\d{3}', raw) and ours is not None and theirs is not None and abs(ours - theirs) >= 0.3:
            return 'a T group counts only within 0.6 degrees of the body (contract)'
        if re.search(r' T[01]\d{3}(////)?( |$)', raw):
            return 'python-metar does not read a T group without a dew point'
        if re.search(r' [M-]?\d\d/( |$)| \d\d///', raw) and theirs is None:
            return 'avwx reads no temperature without a dew point'
    if field == 'pressure':
        if ' A' in body and ' Q' in body:
            return 'two altimeter settings: the first counts'
        if ours is None and re.search(r'Q[.]?\d+[./]|A\d{5}|Q\d{5}| \d{4}$|A30 ', body + ' ') or re.search(r' 10\d\d$', body):
            return 'a malformed altimeter group has no value'
        if theirs is not None and theirs > 200000:
            return 'python-metar reads the 9999 of a trend as pressure'
    if field in ('speed', 'gust', 'direction'):
        if re.search(r' ///\d\dKT', body):
            return 'avwx drops the speed of a wind without direction'
        if re.search(r'\d{5}G0\d\dKT', body):
            return 'avwx cuts gusts of three digits'
        if 'CALMKT' in body:
            return 'CALMKT is no wind group'
        if re.search(r' (CCA|RTD) ', body):
            return 'avwx does not read wind after CCA and RTD'
    return None


def sky_of(layers):
    """Covers with bases, for comparison: no sky, and layers of unknown cover, are left out by the oracles."""
    return [(cover, None if base is None else round(base)) for cover, base in layers
            if cover not in ('CLR', 'SKC', 'NSC', 'NCD', '///', None) and len(cover) <= 3]


def main():
    agreed, kinds, unnamed, rejected = collections.Counter(), collections.Counter(), [], collections.Counter()
    for line in sys.stdin:
        row = json.loads(line)
        raw = row['source']
        if 'rejected' in row:
            rejected[row['rejected']] += 1
            continue
        ours = dict(direction=row['windDirection'], speed=row['windSpeed'], gust=row['windGust'],
                    visibility=row['visibility'], temperature=row['temperature'], dew_point=row['dewPoint'],
                    pressure=row['pressure'])
        our_sky = sky_of([(layer['cover'], layer.get('base_ft')) for layer in row.get('layers', [])])
        for oracle, read in (('metar', from_python_metar), ('avwx', from_avwx)):
            try:
                theirs = read(raw)
            except Exception as error:
                kinds[f'{oracle} fails: {type(error).__name__}'] += 1
                continue
            for field, tolerance in TOLERANCE.items():
                if near(ours[field], theirs[field], tolerance):
                    agreed[oracle] += 1
                    continue
                why = named(field, ours[field], theirs[field], raw, oracle)
                if why:
                    kinds[f'{oracle} {field}: {why}'] += 1
                else:
                    unnamed.append((oracle, field, ours[field], theirs[field], raw))
            if our_sky == sky_of(theirs['sky']):
                agreed[oracle] += 1
            else:
                why = named('sky', our_sky, sky_of(theirs['sky']), raw, oracle)
                if why:
                    kinds[f'{oracle} sky: {why}'] += 1
                else:
                    unnamed.append((oracle, 'sky', our_sky, sky_of(theirs['sky']), raw))
    print('agreed', dict(agreed), 'rejected', dict(rejected))
    for kind, count in kinds.most_common():
        print(count, kind)
    for one in unnamed:
        print('UNNAMED', *one, sep=' | ')
    print(f'{len(unnamed)} differences without a name')
    sys.exit(1 if unnamed else 0)


main()
