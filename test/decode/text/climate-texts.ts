/** Daily climate reports and record event reports as the NWS writes them, for tests that need no fixtures. */

export const cliText = `337
CDUS41 KLWX 290640 CCA
CLIDCA

CLIMATE REPORT
NATIONAL WEATHER SERVICE BALTIMORE MD/WASHINGTON DC
240 AM EDT MON JUN 29 2026

...................................

...THE WASHINGTON NATIONAL DC CLIMATE SUMMARY FOR JUNE 28 2026...

CLIMATE NORMAL PERIOD: 1991 TO 2020
CLIMATE RECORD PERIOD: 1871 TO 2026


WEATHER ITEM   OBSERVED TIME   RECORD YEAR NORMAL DEPARTURE LAST
                VALUE   (LST)  VALUE       VALUE  FROM      YEAR
                                                  NORMAL
...................................................................
TEMPERATURE (F)
 YESTERDAY
  MAXIMUM        100R  6:27 PM 100    1969  89     11       88
                                      1934
  MINIMUM         -3   8:46 AM -54    1927  71    -74       71
  AVERAGE         49                        80    -31       80

PRECIPITATION (IN)
  YESTERDAY        T             2.95 1914   0.15  -0.15     0.00
  MONTH TO DATE    1.68                      3.90  -2.22     5.48
  SINCE JUN 1      1.68                      3.90  -2.22     5.48
  SINCE JAN 1     13.71                     20.03  -6.32    23.52

SNOWFALL (IN)
  YESTERDAY        0.0           MM      MM   0.0   MM        0.0
  MONTH TO DATE    0.0                       0.0    0.0      0.0
  SINCE JUN 1      0.0                       0.0    0.0      0.0
  SINCE JUL 1     10.6                      13.7   -3.1     14.9
  SNOW DEPTH       T

DEGREE DAYS
 HEATING
  YESTERDAY       10                         0     10        0
  MONTH TO DATE   10                         2      8        8
...................................................................


THE WASHINGTON NATIONAL DC CLIMATE NORMALS FOR TODAY
                         NORMAL    RECORD    YEAR
 MAXIMUM TEMPERATURE (F)   89       104      2012
 MINIMUM TEMPERATURE (F)   71        54      1888

R  INDICATES RECORD WAS SET OR TIED.
MM INDICATES DATA IS MISSING.

$$
`

export const afternoonText = cliText
  .replace('290640 CCA', '282040')
  .replace('240 AM EDT MON JUN 29 2026', '440 PM EDT SUN JUN 28 2026')
  .replace('JUNE 28 2026...\n', 'JUNE 28 2026...\nVALID TODAY AS OF 0400 PM LOCAL TIME.\n')
  .replaceAll('YESTERDAY', 'TODAY')

export const twoStationText = cliText.replace('CLIDCA', 'CLIHOU').replace(
  '\n$$',
  `
...THE BALTIMORE/WASHINGTON
INTL CLIMATE SUMMARY FOR JUNE 28 2026...

WEATHER ITEM   OBSERVED NORMAL DEPARTURE
                VALUE   VALUE  FROM
                               NORMAL
............................................
TEMPERATURE (F)
 YESTERDAY
  MAXIMUM         47
  MINIMUM         MM     40
  AVERAGE         41

PRECIPITATION (IN)
  YESTERDAY        0.00   0.09  -0.09

$$`,
)

export const rerText = `422
SXUS71 KOKX 052040
RERBDR

RECORD EVENT REPORT
NATIONAL WEATHER SERVICE NEW YORK, NY
0436 PM EST THU FEB 05 2026

...RECORD TEMPERATURES SET AT BRIDGEPORT CT AND ISLIP NY...

A RECORD LOW TEMPERATURE OF -12 DEGREES WAS SET AT BRIDGEPORT CT
TODAY. THIS TIES THE OLD RECORD SET IN 1953.

A RECORD LOW MAXIMUM TEMPERATURE OF 3 DEGREES WAS SET AT ISLIP NY YESTERDAY.
THIS BREAKS THE OLD RECORD OF 5 DEGREES SET IN 1985 AND 1918.

ON JANUARY 31ST...A RECORD RAINFALL OF 2.45 INCHES FELL AT ST. ALBANS NY.

RECORDS GO BACK TO THE YEAR 1948 AT THIS CLIMATE STATION.

$$
`
