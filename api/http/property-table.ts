/**
 * What every property of the described interface means: `name | kind | example | description`. A line `Parent.name` stands before
 * that of the name alone; the parent is a component, the property around it, or the path of the operation. Kinds have their unit
 * and range in `property-docs.ts`. An example of `-` is not given: an object, a list of objects, or a literal.
 */
export const propertyTable = `
Problem.type | text | https://weather.example.org/errors/bad-request | Stable address of the kind of failure; compared, never fetched
problem.type | text | https://weather.example.org/errors/service-unavailable | Stable address of the kind of failure; compared, never fetched
title | text | National Blend of Models | Title of the dataset
Problem.title | text | Bad request | Title of the kind of failure
problem.title | text | Service unavailable | Title of the kind of failure
/v1/radar/{product}.title | text | Composite reflectivity | Title of the product
Problem.status | status | 400 | Status code of the answer
problem.status | status | 503 | Status code of the failure
/healthz.status | text | alive | The process runs
/readyz.status | text | ok | down where an engine cannot be reached, degraded where data are late
results.status | text | ok | ok, or why there is no value for the point
status | text | Actual | Actual, or a message that is no warning: Exercise, Test
detail | text | days: wanted a whole number from 1 to 14; got "0". | What was wanted, what was found, and what to do next
MetaWarning.detail | text | hours 37 to 48 come from the 18Z run | The same in words
warnings.detail | text | hours 37 to 48 come from the 18Z run | The same in words
instance | text | /v1/weather | Path of the request, without its query
next_steps | object | - | Relations by name; recommended names the one to take first. On 401, 402, 403 and 429
href | text | https://weather.example.org/docs/keys | Address of the step
next_steps.description | text | How to get an API key. | What the step does
description | text | Blend of the forecasts of several models | What it is, in words
alerts.description | text | At 312 PM MDT, a severe thunderstorm was located near Denver. | Text of the alert; with id, in GeoJSON and with alert_detail=full
properties.description | text | At 312 PM MDT, a severe thunderstorm was located near Denver. | Text of the alert
location | object | - | The place of the answer
current | object | - | Conditions now
narrations.current | text | Partly cloudy and 71 degrees. | Conditions now in words, by rule
hourly | list | - | Hours ascending by time, the first the full hour at or before now. Amounts are of the 60 minutes that end at time: each minute is in one row
daily | list | - | Local calendar days ascending by date
alerts | list | - | Active alerts of the National Weather Service, the gravest first
outlooks | list | - | Convective, fire and excessive rainfall outlooks that cover the point
astro | object | - | Sun and moon of a local calendar date
narrations | object | - | Weather in words, made by rule
short_term | text | Clear tonight, sunny tomorrow. | The next hours in words, by rule
guidance | object | - | What forecasters wrote for the place
discussions | object | - | Discussions of forecasters; guidance has the same and more
mesoscale | list | - | Mesoscale discussions whose area covers the point
area_forecast | object | - | Newest area forecast discussion of the office
nowcast | object | - | Radar moved 90 minutes ahead
radar | object | - | What the newest radar scan has at the point
climate | object | - | Normals of 1991 to 2020
Day.climate | object | - | Normals of the date and how far the forecast is from them
metar | object | - | Newest report of the nearest station
gis | object | - | What lies around the point
units | object | - | Unit of each quantity of the answer
format | code | json | Form of the answer; Accept does the same
/v1/weather/batch.units | text | imperial | System of units
/v1/point.units | text | imperial | System of units; in an answer the unit of each variable
/v1/series/batch.units | text | imperial | System of units; in an answer the unit of each variable
attribution | text | NOAA National Blend of Models | Whom to name as the source
Weather.attribution | object | - | Whom to name as the source
meta | object | - | About the answer itself
ClimateNormals.meta | object | - | How the normals were made
lat | lat | 39.74 | Latitude, north is positive
lon | lon | -104.99 | Longitude, west is negative
latitude | lat | 39.8328 | Latitude of the station, north is positive
longitude | lon | -104.6575 | Longitude of the station, west is negative
name | text | Denver | Name
Location.name | text | Denver | Name of the place, without its state
variables.name | code | temperature | Name of the variable in requests and answers
ClimateReport.name | text | DENVER CO | Name of the station as its report has it
KeyRecord.name | text | my laptop | What the key is called
/developer/keys.name | text | my laptop | What the key is called
region | code | CO | Postal abbreviation of the state
country | code | US | Country by ISO 3166-1 alpha-2
timezone | text | America/Denver | Time zone by its IANA name
county | text | Denver County | County of the point
zones.county | code | COC031 | Code of the county
zip | code | 80202 | US ZIP code
elevation | altitude | 5280 | Ground at the point; null where no source of it was read
utc_offset_seconds | offset | -21600 | Offset of timezone from UTC at meta.generated_at
time | time | 2026-08-20T18:00:00Z | Valid time
Current.time | time | 2026-08-20T18:00:00Z | Valid time of the analysis
/v1/point.time | time | 2026-08-20T18:00:00Z | Instant of the values; absent: now
temperature | temperature | 71.3 | Air temperature 2 m above the ground
DailyPeriod.temperature | temperature | 84.5 | Highest temperature of the day, lowest of the night; null where the half has none
Units.temperature | code | F | Unit of temperatures
ClimateReport.temperature | object | - | Temperatures of the day in °F
feels_like | temperature | 71.3 | Heat index, wind chill, or the temperature itself
humidity | percent | 34 | Relative humidity 2 m above the ground
dew_point | temperature | 42.1 | Dew point 2 m above the ground
pressure | pressure | 30.05 | Pressure reduced to sea level
Units.pressure | code | inHg | Unit of pressures
wind_speed | wind | 8.1 | Wind 10 m above the ground
Units.wind_speed | code | mph | Unit of wind speeds
wind_gust | wind | 16.4 | Gusts 10 m above the ground
visibility | visibility | 10 | Visibility at the ground; null where no source has it
Units.visibility | code | mi | Unit of visibilities
cloud_cover | percent | 40 | Part of the sky that is covered
cloud_ceiling | altitude | 6500 | Height of the lowest layer that covers more than half of the sky, above the ground
cloud_cover_low | percent | 10 | Low clouds (CONUS)
cloud_cover_mid | percent | 20 | Middle clouds (CONUS)
cloud_cover_high | percent | 40 | High clouds (CONUS)
uv_index | uv | 6.2 | UV index
pm25 | aqi | 42 | Sub-index of fine particles, AQI scale
ozone | aqi | 51 | Sub-index of ozone, AQI scale
pm10 | aqi | 18 | Sub-index of coarse particles, AQI scale
precip_rate | rate | 0.04 | Liquid equivalent that falls
precip_24h | millimetres | 3.2 | Liquid equivalent of the past 24 hours, gauge-corrected radar estimate, whatever units says
lightning_density | density | 0.05 | Flashes in the area and time window of the source
wind_direction | direction | 270 | Direction from which the wind blows; null where calm or variable
aqi | aqi | 51 | Air quality index of the US EPA: the greatest sub-index
lightning_prob | percent | 12 | Probability of lightning
lightning_flashes | count | 3 | Flashes seen from orbit near the point in the past minutes
aqi_category | text | Moderate | Category of the index
precip_type | code | rain | What falls: none, rain, snow, freezing_rain, ice_pellets, wintry_mix, unknown
conditions | text | Partly Cloudy | Conditions in words
icon | code | partly-cloudy-day | Slug of an icon
severe | flag | false | Severe conditions are present or imminent
cloud_ceiling_unlimited | flag | true | No layer covers more than half of the sky
Hour.precip_probability | percent | 30 | Probability of measurable precipitation in the hour that ends at time; of the running hour in what is left of it, and in the first row, where radar covers the place, in the next 30 minutes
precip_probability | percent | 30 | Probability of measurable precipitation
precip_amount | amount | 0.02 | Liquid equivalent of the 60 minutes that end at time: of the first row the hour that ended last, of the second the running hour, whole. What was measured, then the steps of the nowcast, then the models
Units.precip_amount | code | in | Unit of amounts of rain, snow and ice
thunderstorm_probability | percent | 10 | Probability of thunder
precip_type_rain_prob | percent | 100 | Probability of rain if something falls
precip_type_snow_prob | percent | 0 | Probability of snow if something falls
precip_type_freezing_rain_prob | percent | 0 | Probability of freezing rain if something falls
precip_type_ice_pellets_prob | percent | 0 | Probability of ice pellets if something falls
cape | cape | 450 | Convective available potential energy
snow_amount | amount | 0 | Depth of new snow of the 60 minutes that end at time, as precip_amount; null where no source has snow
snow_level | altitude | 11200 | Height above sea level where snow turns to rain
thunder_possible | flag | false | Thunder of 15 percent or CAPE of 1000 J/kg, in any hour of the row
uncertainty | object | - | Spread of the forecast, with include=uncertainty
temperature_stddev | spread | 2.1 | Standard deviation of temperature
dew_point_stddev | spread | 2.4 | Standard deviation of dew_point
wind_speed_stddev | wind | 1.8 | Standard deviation of wind_speed
wind_gust_stddev | wind | 3.1 | Standard deviation of wind_gust
visibility_prob_below_1mi | percent | 1 | Probability of a visibility below 1 mile
visibility_prob_below_2mi | percent | 1 | Probability of a visibility below 2 miles
visibility_prob_below_3mi | percent | 2 | Probability of a visibility below 3 miles
visibility_prob_below_5mi | percent | 4 | Probability of a visibility below 5 miles
ceiling_prob_below_500ft | percent | 1 | Probability of a ceiling below 500 ft
ceiling_prob_below_1000ft | percent | 1 | Probability of a ceiling below 1000 ft
ceiling_prob_below_2000ft | percent | 2 | Probability of a ceiling below 2000 ft
ceiling_prob_below_3000ft | percent | 5 | Probability of a ceiling below 3000 ft
ceiling_prob_below_6600ft | percent | 20 | Probability of a ceiling below 6600 ft
wind_speed_p50 | wind | 7.9 | Median of wind_speed
wind_speed_prob_gt_75mph | percent | 0 | Probability of a wind of more than 75 mph
date | date | 2026-08-20 | Local calendar date
relative_day | relative | 0 | Days from the local date of now: -1 is the night that still runs, 0 today, 1 tomorrow
active_period | code | day | Half that runs now, on the one row that has it: day 06:00 to 17:59, night 18:00 to 05:59
high | temperature | 84.5 | Highest temperature of the day
low | temperature | 58.2 | Lowest temperature of the night
temperature.high | fahrenheit | 84 | Highest temperature of the day
temperature.low | fahrenheit | 58 | Lowest temperature of the day
normals.high | fahrenheit | 87 | Normal high of the date
normals.low | fahrenheit | 59 | Normal low of the date
departures.high | departure | -3 | High less its normal
departures.low | departure | -1 | Low less its normal
records.high | fahrenheit | 98 | Highest of the date on record
records.low | fahrenheit | 44 | Lowest of the date on record
DailyPeriod.precip_total | amount | 0.12 | Sum of precip_amount of the hours of the half; while it runs of those that have not ended, the running one whole. Null where no source covers it
precip_total | amount | 0.12 | Liquid equivalent of the 24 hours from 06:00, the sum of precip_amount of the hours: also of those that have passed, or null with partial_day
DailyPeriod.snow_total | amount | 0 | Sum of snow_amount of the same hours as precip_total; null where no source covers it
snow_total | amount | 0 | Depth of new snow of the 24 hours from 06:00: also of the hours that have passed, by the snow ratio of the hour where no depth is known, or null with partial_day
ice_total | amount | 0 | Ice from freezing rain of the row; null where no source covers it
wind_speed_max | wind | 14.2 | Greatest wind of the day
wind_gust_max | wind | 28.7 | Greatest gust of the day
humidity_avg | percent | 38 | Mean of humidity
cloud_cover_avg | percent | 35 | Mean of cloud_cover
uv_index_max | uv | 8.4 | Greatest UV index of the day
cape_max | cape | 900 | Greatest CAPE of the day
dew_point_max | temperature | 46.2 | Highest dew point of the day
dew_point_min | temperature | 38.9 | Lowest dew point of the day
pressure_avg | pressure | 30.02 | Mean of pressure
visibility_min | visibility | 9.4 | Least visibility of the day
cloud_ceiling_min | altitude | 5200 | Lowest ceiling of the day
thunderstorm_probability_max | percent | 20 | Greatest probability of thunder of the day
aqi_max | aqi | 61 | Greatest air quality index of the day
feels_like_high | temperature | 83.9 | Highest feels_like of the day
feels_like_low | temperature | 58.2 | Lowest feels_like of the night
solar_radiation_max | radiation | 880 | Greatest downward shortwave radiation of the day
sources_disagree | flag | false | Two sources of the row give values that do not fit together
Day.day | object | - | 06:00 to 17:59 by the local clock
Outlook.day | outlookday | 1 | Day of the outlook: 1 is today
days.day | monthday | 20 | Day of the month
night | object | - | 18:00 to 05:59 of the next date by the local clock
threats | list | - | What may do harm that day
DailyThreat.type | code | severe | Kind: severe, winter, heat, cold, wind, fire, flood
civil_dawn | time | 2026-08-20T11:48:00Z | Sun 6° below the horizon before sunrise; null where it does not occur that date
sunrise | time | 2026-08-20T12:17:00Z | Upper limb at the horizon; null on polar day and night
solar_noon | time | 2026-08-20T19:03:00Z | Sun highest
sunset | time | 2026-08-21T01:48:00Z | Upper limb at the horizon; null on polar day and night
civil_dusk | time | 2026-08-21T02:17:00Z | Sun 6° below the horizon after sunset; null where it does not occur that date
moonrise | time | 2026-08-20T20:10:00Z | Moonrise; null where it does not occur that date
moonset | time | 2026-08-20T05:41:00Z | Moonset; null where it does not occur that date
day_length | daylength | 48660 | Sunrise to sunset; 86400 under the midnight sun, 0 in the polar night
daylight_length | daylength | 52140 | Civil dawn to civil dusk; 86400 where civil twilight never ends
moon_phase | fraction | 0.25 | Phase: 0 and 1 new, 0.5 full
moon_phase_name | text | First Quarter | Name of the phase
moon_illumination | fraction | 0.5 | Lit part of the disc
polar | code | midnight_sun | Set where the sun neither rises nor sets
narrative | text | Sunny, with a high near 85. | The half in words
risk | text | SLGT | Risk as the outlook has it
probability | fraction | 0.15 | Probability within 25 miles of a point
risk_label | text | Slight | Risk in words
temperature_stddev_avg | spread | 2.2 | Mean of temperature_stddev
dew_point_stddev_avg | spread | 2.4 | Mean of dew_point_stddev
wind_speed_stddev_avg | wind | 1.9 | Mean of wind_speed_stddev
wind_gust_stddev_avg | wind | 3.3 | Mean of wind_gust_stddev
visibility_prob_below_1mi_max | percent | 2 | Greatest probability of a visibility below 1 mile
ceiling_prob_below_1000ft_max | percent | 3 | Greatest probability of a ceiling below 1000 ft
snow_total_p10 | amount | 0 | Snow that is exceeded with 90 percent
snow_total_p50 | amount | 0 | Median of snow_total
snow_total_p90 | amount | 0.4 | Snow that is exceeded with 10 percent
snow_prob_gt_1in | percent | 5 | Probability of more than 1 inch of snow
snow_prob_gt_2in | percent | 2 | Probability of more than 2 inches of snow
snow_prob_gt_4in | percent | 0 | Probability of more than 4 inches of snow
snow_window_start | time | 2026-11-23T12:00:00Z | Start of the 24 hours that the percentiles and probabilities of snow are for
snow_window_end | time | 2026-11-24T12:00:00Z | End of the 24 hours that the percentiles and probabilities of snow are for
normal_high | temperature | 87.4 | Normal high of the date
normal_low | temperature | 58.9 | Normal low of the date
normal_mean | temperature | 73.2 | Normal mean of the date
high_departure | departure | -2.9 | high less normal_high
low_departure | departure | -0.7 | low less normal_low
Alert.id | text | urn:oid:2.49.0.1.840.0.8a1f.001.1 | Id of the NWS message
alerts.id | text | urn:oid:2.49.0.1.840.0.8a1f.001.1 | Id of the NWS message
features.id | text | urn:oid:2.49.0.1.840.0.8a1f.001.1 | Id of the feature
id | code | KDEN | Id of the station, radar, office or zone
Alert.event | text | Severe Thunderstorm Warning | Name of the event
alerts.event | text | Severe Thunderstorm Warning | Name of the event
event | text | Severe Thunderstorm Warning | Name of the event
ClimateRecord.event | code | HIGH | What was exceeded or tied
severity | text | Severe | Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown
urgency | text | Immediate | Urgency by CAP: Immediate, Expected, Future, Past, Unknown
certainty | text | Observed | Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown
headline | text | Severe Thunderstorm Warning issued August 20 at 3:12PM MDT by NWS Denver CO | Headline of the message
sender | text | NWS Denver CO | Issuing office
onset | time | 2026-08-20T21:12:00Z | Begin of the event
ends | time | 2026-08-20T22:00:00Z | End of the event
effective | time | 2026-08-20T21:12:00Z | Begin of the message
expires | time | 2026-08-20T22:00:00Z | End of the message
Outlook.expires | time | 2026-08-21T12:00:00Z | End of the outlook
expiration | time | 2026-08-20T22:00:00Z | When it is over whatever else comes: ends, else expires
area_desc | text | Denver; Adams; Arapahoe | Areas in words
highlights | object | - | Chosen parameters of the message, such as the hail size, by name
Hour.source | code | observed | Only before the current hour: observed is of URMA, analysis of RTMA; null where nothing is stored
Hour.product_id | code | urma | Only before the current hour: the analysis of the row; null where none is stored
precip_product_id | code | mrms-qpe-1h | Only before the current hour: the accumulation behind precip_amount; null where none is stored
product_id | code | nbm | Id of the dataset in /v1/catalog
/v1/radar/{product}.product_id | code | mrms-reflectivity | Id of the dataset in /v1/catalog
Outlook.product_id | code | spc-outlooks | Id of the dataset in /v1/catalog
Outlook.type | code | severe | What the outlook is for: severe, tornado, hail, wind, fire, flood
valid | time | 2026-08-20T12:00:00Z | Begin of the outlook
significant | flag | false | Inside the area of significant severe weather: EF2 tornadoes, hail of 2 inches, gusts of 65 kt
intensity_group | strength | 2 | Conditional intensity group (CIG 1 to 3) of the severe weather that may come, where one is drawn
afd | object | - | Area forecast discussion
hwo | object | - | Hazardous weather outlook
day_one | text | Isolated thunderstorms this afternoon. | Text of its first day
summary | text | Severe thunderstorms are possible this afternoon. | Summary of the text
Nowcast.summary | object | - | When precipitation begins and ends
body | text | .SYNOPSIS... | Whole text
has_active_hazards | flag | true | The text names a hazard for today
issued_at | time | 2026-08-20T18:31:00Z | Time of issue; null where the text has none
now | object | - | Short-term forecast of the office
wfo | code | BOU | Forecast office
hls | object | - | Hurricane local statement
active_mcds | count | 1 | Mesoscale discussions whose area covers the point now
mcds | list | - | These discussions
active_mpds | count | 0 | Mesoscale precipitation discussions whose area covers the point now
mpds | list | - | These discussions
pmds | list | - | Discussions of the Weather Prediction Center
swo_day1_risk | text | Slight | Categorical risk of the convective outlook of day 1
synopsis | text | High pressure builds over the region. | Its synopsis
key_takeaway | text | Afternoon thunderstorms on the plains. | Its key message
confidence | text | High | Its words of confidence
mcd_number | number | 1525 | Number of the discussion in its year
mpd_number | number | 812 | Number of the discussion in its year
expires_at | time | 2026-08-20T20:30:00Z | When it ends; null where it does not
concerning | text | SEVERE POTENTIAL...WATCH LIKELY | What it is about
areas_affected | text | Northeast Colorado | Area in words
watch_probability | percent | 80 | Probability that a watch follows
flash_flood_tier | code | likely | Flash flooding: possible, likely, occurring
awips_id | code | PMDSPD | AWIPS id of the text
pmd_desk | code | SPD | Which of its discussions: SPD, EPD, HI, CA, MRD, THR, ENS
interval_seconds | seconds | 300 | Time between points
generated_at | time | 2026-08-20T18:04:00.000Z | When the answer was made
Nowcast.generated_at | time | 2026-08-20T18:02:00Z | Time of the radar scan that it starts from
Nowcast.points | list | - | Steps of the next 90 minutes
points | list | - | Points of the request
starts_at | time | 2026-08-20T18:25:00Z | When precipitation begins; null where none does
ends_at | time | 2026-08-20T18:50:00Z | When it ends; null where it lasts longer
duration_minutes | minutes | 25 | How long it lasts; null where its end is not known
NowcastSummary.type | code | rain | What falls in most steps of the episode
NowcastPoint.type | code | rain | What falls
peak_intensity | code | moderate | Greatest intensity
already_occurring | flag | false | It falls already
intensity_dbz | dbz | 31.5 | Reflectivity
intensity | code | light | Intensity in words
valid_time | time | 2026-08-20T18:00:00Z | Valid time of the values
site | code | KFTG | Radar, where the product is of a single one
reflectivity_dbz | dbz | 31.5 | Reflectivity; null where dry or without coverage
RadarSitePoint.coverage | code | value | value, dry, or no_coverage: without a scan, beyond its reach, or a folded echo
at.coverage | code | value | value, dry, or no_coverage: beyond the reach of the radar, or a folded echo
elevation_angle | degrees | 0.5 | Elevation of the beam above the horizon
coverage_pattern | count | 212 | Volume coverage pattern of the radar
radial_velocity | radial | -14.5 | Velocity along the beam, positive away from the radar; null where there is none
storm_relative_velocity | radial | -6.1 | radial_velocity less the mean motion of storms, in coarse steps; null where there is none
hydrometeor | code | wet_snow | What scatters the beam: rain, heavy_rain, wet_snow, dry_snow, hail_rain, graupel, ground_clutter, …; null where there is none
/v1/radar/site/{id}/{product}.product | code | N0B | Mnemonic of the product
image | text | /v1/radar/site/FTG/N0B.png | Path of the picture
word | code | wet_snow | The class in a word, where the product has classes
RadarPoint.coverage | code | value | value, dry, or no_coverage: no radar sees the point
coverage | list | - | Domains of the dataset
ClimateNormals.station | object | - | Station of the normals
station | code | KDEN | AWIPS code of the station
station_id | code | KDEN | Id of the station
state | code | CO | Postal abbreviation of the state
elevation_m | metres | 1656 | Height above sea level
distance_km | kilometres | 28.4 | Distance from the point
normals_period | text | 1991-2020 | Years of the normals
meta.source | code | station | Whether they are of a station or of a grid
source | code | nbm | Source of the values
SourceFreshness.source | code | nbm | Family of the dataset
normals_method | text | NCEI daily normals | How they were made
meta.unit | code | degF | Unit of the temperatures
variables.unit | code | K | Unit of the stored values
/v1/radar/{product}.unit | code | dBZ | Unit of the values
approximate | flag | false | The station is far from the point
missing_days | count | 0 | Days without a normal
ClimateNormals.days | list | - | Normals by date
days | days | 10 | Number of daily rows
month | month | 8 | Month of the year
normal_high_stddev | spread | 7.1 | Standard deviation of the high
normal_low_stddev | spread | 5.2 | Standard deviation of the low
normal_mean_stddev | spread | 5.6 | Standard deviation of the mean
normal_precip | amount | 0.05 | Normal precipitation of the date
years | years | 30 | Years that the normal is made of
completeness_flag | code | S | NCEI's flag of completeness
observed_at | time | 2026-08-20T17:53:00Z | Time of the report
age_min | minutes | 11 | Age of the report
ceiling_ft | feet | 6500 | Lowest broken or overcast layer above the station
layers | list | - | Layers of clouds, the lowest first
cover | code | BKN | Cover: FEW, SCT, BKN, OVC, VV
base_ft | feet | 6500 | Base above the station
convective | code | CB | Convective cloud: CB or TCU
results.weather | object | - | The answer of /v1/weather for the point
weather | codes | -RA | Groups of present weather as reported
city | text | Denver | City that the point lies in
nearest_city | text | Denver | Nearest city
population | count | 715522 | People who live there
nearest_radar | object | - | Nearest radar
nearest_station | object | - | Nearest station
altitude | code | ft | Unit of heights
solar_radiation | code | W/m^2 | Unit of radiation, always the same
sources | codes | NOAA National Blend of Models | Sources of the answer
notice | text | Data of NOAA, not endorsed by it. | What to show beside the data
schema_version | text | 1.0.0 | Version of the schema
freshness | list | - | Age of each source
warnings | list | - | What is missing, late or assumed
hourly_sampling | object | - | Only where hourly_step dropped rows
step_hours | hours | 3 | hourly_step as applied
from_hour | hours | 12 | hourly_step_from as applied
reference_time | time | 2026-08-20T16:00:00Z | Reference time of the run
latest_valid | time | 2026-08-31T00:00:00Z | Last valid time of the run
age_seconds | seconds | 7200 | Age since reference_time; null where nothing is there
monitors | list | - | Air quality: the monitor of each sub-index, its distance, and the start of its hour
pollutant | code | pm25 | Pollutant of the sub-index
monitors.id | text | 080310002 | Id of the monitor
hour | time | 2026-08-20T17:00:00Z | Start of the hour of the measurement
code | code | stale_source | Stable code; new ones may be added
section | code | hourly | Section that it is about
fields | codes | snow_amount | Fields that are null or left out
MetaWarning.from | time | 2026-08-22T06:00:00Z | First valid time that it is about
to | time | 2026-08-24T06:00:00Z | Last valid time that it is about
kind | code | grid | Kind of the dataset
variables.kind | code | instant | Whether a value is of an instant, or of the interval that ends at its time
places.kind | code | place | What was found
zones.kind | code | forecast | Kind of the zone
properties.kind | code | forecast | Kind of the zone
provider | text | NOAA NCEP | Who makes the dataset
cadence_seconds | seconds | 3600 | Time between runs
latency_seconds | seconds | 4200 | Usual time from reference time to publication
stale_after_seconds | seconds | 14400 | Age at which the dataset counts as late
h3_resolution | resolution | 7 | H3 resolution of the stored cells; null where it is not stored by cell
domain | code | conus | conus, alaska, hawaii; empty where the dataset is one piece
bbox | degrees | -125 | west, south, east, north
native_km | kilometres | 2.54 | Mesh of the source
variables | list | - | Variables of the dataset
/v1/point.variables | text | temperature,wind_speed | Names of variables, separated by commas: the field names of Hourly
/v1/series/batch.variables | text | temperature,wind_speed | Names of variables, separated by commas: the field names of Hourly
variables.units | object | - | Units in which answers give it
imperial | code | F | Unit with units=imperial
metric | code | C | Unit with units=metric
standard_name | text | air_temperature | Name by the CF conventions; null where they have none
served | list | - | Runs that answers are made from now
run | time | 2026-08-20T16:00:00Z | Reference time of the run
as_of | time | 2026-08-20T18:04:00.000Z | The answer as it was given at this instant
published_at | time | 2026-08-20T17:12:00Z | When it was published
stale | flag | false | It is older than stale_after_seconds
office | code | BOU | Forecast office
preliminary | flag | true | Issued before the day was over
average | fahrenheit | 71 | Mean of high and low
departures.average | departure | -2 | Mean less its normal
normals | object | - | Normals of the date
departures | object | - | Differences from the normals
temperature.records | object | - | Records of the date
records | list | - | Reports of records
high_years | years | 2012 | Years of the record
low_years | years | 1974 | Years of the record
precipitation | object | - | Precipitation in inches
precipitation.total | inches | 0.12 | Precipitation of the day; null where missing, and where a trace fell
snow.total | inches | 0 | Snowfall of the day; null where missing, and where a trace fell
total | count | 42 | Number of all that match, also beyond limit
trace | flag | false | A trace fell
month_to_date | inches | 0.87 | Sum of the month so far
year_to_date | inches | 9.1 | Sum of the year so far
season_to_date | inches | 0 | Sum of the snow season so far
normal | inches | 0.05 | Normal of the date
record | inches | 1.9 | Greatest of the date on record
record_years | years | 1982 | Years of the record
snow | object | - | Snow in inches
depth | inches | 0 | Snow on the ground
value | measure | 98 | Measured value, °F or inches
origin.value | code | device_flow | How the key was asked for
previous | measure | 97 | Record before, °F or inches
previous_year | year | 2012 | Year of the record before; of several the last
previous_years | years | 2012 | Years of the record before
tied | flag | false | The record was tied, not exceeded; null where the text has neither
ClimateRecord.text | text | A RECORD HIGH TEMPERATURE OF 98 WAS SET AT DENVER | Text of the report
prefix | code | hx_live_4fJ2 | First characters of the key: its name in lists and logs
plan | code | free | Plan of the key
scopes | codes | weather:read | What the key allows
created_at | time | 2026-08-01T09:00:00.000Z | When it was made
revoked_at | time | 2026-08-20T09:00:00.000Z | When it was revoked; null while it is valid
ready | flag | true | Requests can be answered
engines | object | - | State of each engine by name
datasets | list | - | State of each dataset
dataset | code | nbm | Id of the dataset
clock_off_seconds | signed | 0.2 | Clock of this process less that of the database
notes | codes | nbm: late | What an operator may want to know
results | list | - | One for each point, in the order of the request
index | count | 0 | Place of the point in the request, from 0
problem | object | - | Why the point has no answer
include | text | current,hourly | Sections, separated by commas
view | code | detailed | Every column of hourly and daily, or a subset
alert_detail | code | concise | full: alerts with description, instruction and geometry; concise: with a link to them
hourly_hours | hours | 48 | Horizon of the hourly rows, before rows are dropped
hourly_step | hours | 1 | Keep every Nth hourly row
hourly_step_from | hours | 0 | Row from which hourly_step applies; those before all stay
past_hours | hours | 24 | Hourly rows before the current one, of analyses and measured amounts
start | time | 2026-08-20T12:00:00Z | First time of a period, also in the past; absent: the current hour
end | time | 2026-08-21T12:00:00Z | Last time of the period
series.sources | codes | urma | Of a period: the analysis and accumulation, or the run, behind each time; null where nothing is stored
data.expected_at | time | 2026-08-20T13:15:00Z | When the run is usually served
data.due_at | time | 2026-08-20T13:45:00Z | From then on the run is late
within_minutes | minutes | 60 | How far ahead precipitation is reported
data.type | code | rain | What begins
hours | hours | 48 | Hours from the current one
retryable | flag | true | The point could not be checked in time: ask again
values | object | - | Value of each variable, null where it has none
dataset_id | code | nbm | Id of a dataset of /v1/catalog, or blend
series | object | - | Values over time
valid_times | times | 2026-08-20T18:00:00Z | Valid times, ascending
data | object | - | Values of each variable, one for each valid time
products | list | - | Datasets
areas | codes | COC031 | UGC codes in which it stands
instruction | text | Move to an interior room. | What to do
type | literal | - | Type of the GeoJSON object
features | list | - | GeoJSON features
geometry | object | - | GeoJSON geometry
properties | object | - | What is known of the feature
coordinates | degrees | -104.99 | Positions as GeoJSON has them: longitude, latitude
observations | list | - | Reports, the newest of a station first
report_type | code | METAR | Routine or special report
corrected | flag | false | A correction of an earlier report
auto | flag | true | Made without a person
raw | text | KDEN 201753Z 27008KT 10SM SCT065 22/06 A3005 | Report as it was sent
flight_category | code | VFR | Flight category; null where it cannot be decided
speed | metrespersecond | 14.2 | Speed of the storm; null for a cell seen in one scan only
direction | direction | 45 | Direction towards which it moves; null where speed is null
severe_probability | percent | 62 | Severe weather within an hour
hail_probability | percent | 48 | Severe hail within an hour
wind_probability | percent | 31 | Severe wind within an hour
tornado_probability | percent | 4 | Tornado within an hour
max_reflectivity_dbz | dbz | 58 | Greatest reflectivity of a cell of a radar
mesocyclone_strength | strength | 7 | Strength rank of a circulation in the cell
tornado_signature | code | TVS | Tornadic vortex signature; ETVS: not down to the ground
properties.forecast | list | - | Places ahead
zones.forecast | code | COZ040 | Code of the forecast zone
properties.source | code | probsevere | probsevere, or nexrad_ and the radar that tracks the cell
minutes | minutes | 15 | Minutes from the scan
reports | list | - | Daily climate reports
times | times | 2026-08-20T18:00:00Z | Times of scans that can be asked for
nowcast_times | times | 2026-08-20T18:30:00Z | Times of the nowcast that can be asked for
legend | list | - | Colours of the picture
legend.from | dbz | 20 | Least value of the colour
colour | code | #04e9e7 | Colour
places | list | - | Places, the likeliest first
feature | text | airport | Of a feature: airport, county, park, forest, summit, lake, military, tribal
/v1/reverse-geocode.zones | object | - | Zones of the point
zones | list | - | Zones
fire | code | COZ240 | Code of the fire weather zone
marine | code | GMZ335 | Code of the marine zone
stations | list | - | Stations, the nearest first
radars | list | - | Radars, the nearest first
icao | code | KFTG | ICAO code
offices | list | - | Forecast offices
origin | object | - | What asks for the key, and how
channel | code | cli | What asks for the key
key | text | hx_live_4fJ2… | Shown this once
keys | list | - | Keys of the account
Webhook.id | code | wh_3fJ2mQ0aXb9cD1eF | Id of the webhook
/v1/webhooks.id | code | wh_3fJ2mQ0aXb9cD1eF | Id of the webhook
WebhookDelivery.id | code | msg_8aJ2mQ0aXb9cD1eFgH3k | The webhook-id header, the same at every attempt
url | text | https://example.org/hooks/weather | Where calls go: https and a public name
events | codes | alert.* | Types of events
filter | object | - | Which events
WebhookFilter.event | codes | Tornado Warning | Names of alerts
WebhookFilter.dataset_id | codes | nbm | Datasets whose runs are reported
WebhookFilter.bbox | text | -105.5,39.5,-104.5,40.2 | west,south,east,north in degrees
area | code | CO | State, or two letters of marine zones
zone | code | COZ040 | Zone or county
min_severity | code | Severe | The least severity that is reported
/v1/webhooks.description | text | Alerts of the Front Range | What the webhook is for
/v1/webhooks/{id}.description | text | Alerts of the Front Range | What the webhook is for
Webhook.description | text | Alerts of the Front Range | What the webhook is for
enabled | flag | true | Calls are made; false while paused, and after the receiver answered 410
secret | text | whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD | Signs every call; shown this once
waiting | count | 0 | Calls that wait to be made
failing_since | time | 2026-08-20T20:02:00.000Z | Since when the receiver fails (no answer, 5xx, 408, 429, redirects); null while it is well
next_attempt_at | time | 2026-08-20T21:13:00.000Z | No call before that time, since the receiver fails; null while it is well
webhooks | list | - | Webhooks of the key
delivery_id | code | msg_8aJ2mQ0aXb9cD1eFgH3k | One call
deliveries | list | - | Calls, the newest first
replayed | count | 3 | Calls that are due again
WebhookDelivery.type | code | alert.issued | Type of the event
subject | text | Actual/KBOU.TO.W.0007.2026 | Calls of one subject are made in order
WebhookDelivery.state | code | delivered | dead: a day of attempts failed, or too many calls wait
attempts | count | 1 | Attempts so far
next_at | time | 2026-08-20T21:13:00.000Z | Next attempt; null where there is none
WebhookDelivery.status | answerstatus | 200 | Status of the last answer; null where there was none
error | text | no answer within 10 s | Why the last attempt failed; null where it did not
ended_at | time | 2026-08-20T21:12:02.000Z | When it was delivered or given up
/v1/radar/{product}/{time}/tiles.json.name | text | Composite reflectivity, newest of 2026-08-20T18:02:00Z | Name for a list of layers
tilejson | text | 3.0.0 | Version of TileJSON
scheme | text | xyz | Rows count from the north
tiles | codes | https://weather.example.org/v1/radar/mrms-reflectivity/latest/{z}/{x}/{y}.png | Template of the addresses of tiles
minzoom | zoom | 2 | Least zoom
maxzoom | zoom | 9 | Greatest zoom
bounds | degrees | -176 | west, south, east, north
AlertCall.type | code | alert.issued | Type of the event
RunCall.type | code | run.published | Type of the event; run.stage extends a run
timestamp | time | 2026-08-20T21:12:00.000Z | When it happened
AlertCall.data | object | - | The change of the alert
RunCall.data | object | - | The run
data.id | text | urn:oid:2.49.0.1.840.0.8a1f.001.1 | Id of the alert, as in /v1/alerts
change | code | issued | What happened to the alert
replaces | codes | urn:oid:2.49.0.1.840.0.8a1f.000.1 | Ids of the messages that it replaces
data.geometry | text | https://weather.example.org/v1/alerts?id=urn:oid:2.49.0.1.840.0.8a1f.001.1&format=geojson | Where the alert is drawn
simulated | literal | - | Only where the weather is simulated
stage | count | 1 | Stage of the run; absent: the only or first one
at | time | 2026-08-20T17:12:00.000Z | When it was published
/v1/status.generated_at | time | 2026-08-20T18:04:00Z | When the state was read
/v1/status.status | code | ok | degraded where data are stale or missing, outage where no model run is stored
/v1/status.simulated | flag | false | Whether the weather is simulated
/v1/status.notes | codes | The database cannot be reached: this is the last known state. | What makes the document itself uncertain
Weather.provenance | object | - | Where each number of current, hourly and daily comes from: tables, and indexes into them. Only with include=provenance
provenance.files | list | - | The upstream files that were read
files.lead_hours | lead | 3 | From the reference time of the run to the valid time; 0 of analyses and of measured amounts, whose run is the hour
provenance.messages | list | - | The GRIB2 messages that were read, each of one variable and time
messages.file | count | 0 | Index into files
messages.byte_range | list | [1048576, 1310719] | First and last byte of the message in the file; of a file of radar all of it; null where it was not recorded
messages.message | text | 71 | Number of the message in the file, as its index counts from 1; null where it was not recorded
messages.v_byte_range | list | [1310720, 1572863] | Of a wind that is computed from two messages: the second component
messages.v_message | text | 72 | Of a wind that is computed from two messages: the number of the second
provenance.origins | list | - | How a value follows from messages
origins.messages | count | 12 | Indexes into messages, by valid time
origins.interpolation | code | none | none, linear, smooth, direction, nearest, solar, split (a share of the amount of a longer interval), bound (the probability of a longer interval)
origins.adjusted | flag | true | Changed afterwards, to agree with other members, radar or measured amounts
provenance.hours_from | time | 2026-08-20T12:00:00Z | Time of the first entry of each list of hours; the others follow by the hour
provenance.periods | object | - | Variables of 3 to 24 hours from which members of daily are computed: index into origins, by the end of the interval
periods.end | time | 2026-08-21T00:00:00Z | End of the interval
periods.origin | count | 12 | Index into origins
provenance.past | object | - | Of the rows of past_hours: index into origins, by field and hour. Only with past_hours
past.from | time | 2026-08-20T06:00:00Z | Time of the first entry of each list; the others follow by the hour
current.origins | object | - | Of members of current: index into origins
provenance.members | list | - | Every member of the three sections: a field of hours, computed, or of an observing source
members.section | code | hourly | current, hourly or daily; the halves of a day have the members of daily
members.member | text | feels_like | Name of the member
members.field | text | temperature | Field of hours that it is
members.inputs | codes | temperature | Members and fields that it is computed from
members.computed | flag | true | No source gives it
/v1/status.availability_from | date | 2026-05-23 | First day of the lists availability
datasets.domain | code | conus | conus, alaska, hawaii; empty or null where the dataset is one piece
datasets.state | code | on_time | late: the next run is past its time, or the source of frames gives none (last_failures has the reason); stale: what is served is older than the limit of the dataset; not_configured: this installation does not take it; unknown: the database does not answer, the other members are of generated_at
datasets.run | time | 2026-08-20T16:00:00Z | Reference time of the served run or frame; of a feed its last confirmed read
datasets.stage | count | 1 | Lead group up to which a model run is served, from 0
datasets.available_at | time | 2026-08-20T17:20:00Z | When it was first served
datasets.expected_next | object | - | The next run, frame or read
expected_next.run | time | 2026-08-20T17:00:00Z | Its reference time; null for a feed
expected_next.expected_at | time | 2026-08-20T18:18:00Z | When it is usually served: the median of the last 90 days
expected_next.late_at | time | 2026-08-20T18:34:00Z | From then on it is late: the 95th percentile and a margin of at least 15 minutes
expected_next.learned | flag | true | False: by the declared latency, until seven days are recorded
datasets.late_by_seconds | seconds | 0 | Since expected_at of a run that is late; 0 in time
datasets.second_source | object | - | Read in place of the first source, which fails or is late; null: the first is read
second_source.host | text | storage.googleapis.com | Host of the second source
second_source.since | time | 2026-08-20T17:12:00Z | Since when it is read
second_source.reason | text | wanted 200, got 503: try again later | Why the first is not read
datasets.quarantine | list | - | What upstream delivered in the last day and is not published, the newest three: variables of runs, scans, documents and rows of feeds
quarantine.at | time | 2026-08-20T17:12:00Z | When it was last found
quarantine.run | time | 2026-08-20T16:00:00Z | The run or scan that it belongs to; of a feed the hour of the read, of its rows the day
quarantine.variable | text | dew_point | The variable that is left out, or the row or feature; null for a whole file
quarantine.reason | text | grid | Why: a word of a short list
quarantine.lead_hours | count | 6 | Hours of the run that are affected
quarantine.detail | text | grid: wanted lat1 21.138, got 26.138 | Expected and found, in words
datasets.last_failures | list | - | The newest three of the last seven days, newest first
last_failures.at | time | 2026-08-20T17:12:00Z | When it failed
last_failures.run | time | 2026-08-20T16:00:00Z | The run or frame that was rejected; null for a feed
last_failures.detail | text | 2 of 24 wanted fields are corrupt | The reason in short
datasets.availability | fraction | 1 | Share of the checked minutes of each of 90 days, oldest first, in which it was not stale; null: nothing was checked
variable | code | temperature | What is scored
unit | text | F | Unit of bias, mae and rmse; null where they have none
scored_area | text | BOU | US, a state, a forecast office, a station, or the box that was asked for
first_day | date | 2026-07-21 | First day, UTC
last_day | date | 2026-08-19 | Last day, UTC
estimate | measure | 1.37 | The score over all pairs
lower | measure | 1.31 | Lower end of its 95 % interval; null from fewer than five days
upper | measure | 1.44 | Upper end of its 95 % interval; null from fewer than five days
figures.days | count | 30 | Days with a pair
figures | list | - | One of each source and lead with 30 pairs or more
figures_left_out | count | 1 | How many sources and leads that were asked for have fewer than 30 pairs
why_empty | text | No forecast has been kept yet. | Why there is no figure; null where there is one
figures.lead_hours | hours | 24 | From issue to valid time; of high and low from 06:00 local to 06:00 of the day; 0: the analysis
figures.pairs | count | 51230 | Pairs of a forecast and a report
figures.scores | object | - | By name
figures.reliability | list | - | Ten bins of the probability of 0.01 inch or more in an hour
reliability.from_percent | percent | 30 | Least probability of the bin
reliability.to_percent | percent | 40 | Probability at which the next bin begins
reliability.pairs | count | 1204 | Pairs with such a probability
reliability.forecast_percent | percent | 34.6 | Mean of the probabilities; null below 30 pairs
reliability.observed_percent | percent | 33.1 | Share of the hours that were wet; null below 30 pairs
`
