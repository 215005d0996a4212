# Written by npm run generate from openapi.json; do not edit.
from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from pydantic import Field

from .base import Model


class AlertCallData(Model):
    """The change of the alert"""

    id: str
    """Id of the alert, as in /v1/alerts"""
    event: str
    """Name of the event"""
    change: str
    """Kind of the change"""
    areas: list[str]
    """UGC codes of the alert"""
    expiration: datetime | None
    """When it is over whatever else comes: ends, else expires"""
    replaces: list[str] | None = None
    """Ids of the messages that it replaces"""
    severity: str | None = None
    """Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown"""
    urgency: str | None = None
    """Urgency by CAP: Immediate, Expected, Future, Past, Unknown"""
    certainty: str | None = None
    """Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown"""
    headline: str | None = None
    """Headline of the message"""
    area_desc: str | None = None
    """Areas in words"""
    geometry: str
    """URL of the alert with its geometry"""
    simulated: bool | None = None
    """Present only if the weather is simulated"""


class AlertCall(Model):
    type: Literal["alert.issued", "alert.updated", "alert.cancelled", "alert.expired"] | str
    """Type of the event"""
    timestamp: datetime
    """When it happened"""
    data: AlertCallData
    """The change of the alert"""


class RunCallData(Model):
    """The run"""

    dataset: str
    """Id of the dataset"""
    domain: str | None = None
    """conus, alaska, hawaii; empty where the dataset is one piece"""
    run: datetime
    """Reference time of the run"""
    stage: int | None = None
    """Stage of the run; absent for the only or first stage"""
    at: datetime
    """Time of the event"""
    expected_at: datetime | None = None
    """When the run is usually served"""
    due_at: datetime | None = None
    """When the run becomes late"""
    simulated: bool | None = None
    """Present only if the weather is simulated"""


class RunCall(Model):
    type: Literal["run.started", "run.published", "run.stage", "run.late"] | str
    """Type of the event; run.stage extends a published run"""
    timestamp: datetime
    """When it happened"""
    data: RunCallData
    """The run"""


class OnsetCallData(Model):
    """The onset of precipitation"""

    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    within_minutes: int
    """How far ahead precipitation is reported; min"""
    starts_at: datetime
    """When precipitation begins; null where none does"""
    minutes: int
    """Minutes until precipitation begins; min"""
    ends_at: datetime | None
    """When it ends; null where it lasts longer"""
    type: str
    """Type of the precipitation"""
    peak_intensity: str
    """Greatest intensity"""
    generated_at: datetime
    """When the answer was made"""
    at: datetime
    """Time of the event"""
    simulated: bool | None = None
    """Present only if the weather is simulated"""


class OnsetCall(Model):
    type: Literal["nowcast.onset"] | str
    """Type of the event"""
    timestamp: datetime
    """When it happened"""
    data: OnsetCallData
    """The onset of precipitation"""


class ProblemNextStepsValue1(Model):
    href: str
    """Address of the step"""
    description: str
    """What the step does"""


class Problem(Model):
    type: str
    """Stable URI of the kind of failure, to compare and not to fetch"""
    title: str
    """Title of the kind of failure"""
    status: int
    """Status code of the answer; HTTP status"""
    detail: str | None = None
    """What is wrong, what was expected, and what to do next"""
    instance: str | None = None
    """Path of the request"""
    next_steps: dict[str, str | ProblemNextStepsValue1] | None = None
    """Links to next steps by name, on 401, 402, 403 and 429; `recommended` names the first to take"""


class WeatherNarrations(Model):
    """Weather in words, made by rule"""

    current: str | None = None
    """Conditions now in words, by rule"""
    short_term: str | None = None
    """The next hours in words, by rule"""


class WeatherDiscussions(Model):
    """Discussions of forecasters; guidance has the same and more"""

    mesoscale: list[MCD]
    """Mesoscale discussions whose area covers the point"""
    area_forecast: AFD | None = None
    """Newest area forecast discussion of the office"""


class WeatherProvenanceFile(Model):
    dataset_id: str
    """Id of a dataset of /v1/catalog, or blend"""
    run: str
    """Reference time of the run"""
    lead_hours: float
    """From the reference time of the run to the valid time; 0 of analyses and of measured amounts, whose run is the hour; h"""
    url: str | None
    """Where calls go: https and a public name"""


class WeatherProvenanceMessage(Model):
    file: int
    """Index into files"""
    variable: str
    """What is scored"""
    byte_range: list[Any] | None
    """First and last byte of the message in the file; of a file of radar all of it; null where it was not recorded"""
    message: str | None
    """Number of the message in the file, as its index counts from 1; null where it was not recorded"""
    v_byte_range: list[Any] | None = None
    """Of a wind that is computed from two messages: the second component"""
    v_message: str | None = None
    """Of a wind that is computed from two messages: the number of the second"""


class WeatherProvenanceOrigin(Model):
    messages: list[int]
    """Indexes into messages, by valid time"""
    interpolation: str
    """none, linear, smooth, direction, nearest, solar, split (a share of the amount of a longer interval), bound (the probability of a longer interval)"""
    adjusted: bool | None = None
    """Changed afterwards, to agree with other members, radar or measured amounts"""


class WeatherProvenancePeriodsValue(Model):
    end: str
    """End of the interval"""
    origin: int
    """Index into origins"""


class WeatherProvenancePast(Model):
    """Of the rows of past_hours: index into origins, by field and hour. Only with past_hours"""

    from_: str = Field(alias="from")
    """Time of the first entry of each list; the others follow by the hour"""
    hours: dict[str, list[int | None]]
    """Hours from the current one"""


class WeatherProvenanceCurrent(Model):
    """Conditions now"""

    time: str
    """Valid time"""
    origins: dict[str, int]
    """Of members of current: index into origins"""


class WeatherProvenanceMember(Model):
    section: str
    """current, hourly or daily; the halves of a day have the members of daily"""
    member: str
    """Name of the member"""
    field: str | None = None
    """Field of hours that it is"""
    inputs: list[str] | None = None
    """Members and fields that it is computed from"""
    computed: bool | None = None
    """No source gives it"""
    dataset_id: str | None = None
    """Id of a dataset of /v1/catalog, or blend"""


class WeatherProvenance(Model):
    """Where each number of current, hourly and daily comes from: tables, and indexes into them. Only with include=provenance"""

    files: list[WeatherProvenanceFile]
    """The upstream files that were read"""
    messages: list[WeatherProvenanceMessage]
    """The GRIB2 messages that were read, each of one variable and time"""
    origins: list[WeatherProvenanceOrigin]
    """How a value follows from messages"""
    hours_from: str
    """Time of the first entry of each list of hours; the others follow by the hour"""
    hours: dict[str, list[int | None]]
    """Hours from the current one"""
    periods: dict[str, list[WeatherProvenancePeriodsValue]]
    """Variables of 3 to 24 hours from which members of daily are computed: index into origins, by the end of the interval"""
    past: WeatherProvenancePast | None = None
    """Of the rows of past_hours: index into origins, by field and hour. Only with past_hours"""
    current: WeatherProvenanceCurrent
    """Conditions now"""
    members: list[WeatherProvenanceMember]
    """Every member of the three sections: a field of hours, computed, or of an observing source"""


class Weather(Model):
    location: Location
    """The place of the answer"""
    current: Current | None = None
    """Conditions now"""
    hourly: list[Hour] | None = None
    """Hours ascending by time, the first the full hour at or before now. Amounts are of the 60 minutes that end at time: each minute is in one row"""
    daily: list[Day] | None = None
    """Local calendar days ascending by date"""
    alerts: list[Alert] | None = None
    """Active alerts of the National Weather Service, the gravest first"""
    outlooks: list[Outlook] | None = None
    """Convective, fire and excessive rainfall outlooks that cover the point"""
    astro: Astro | None = None
    """Sun and moon of a local calendar date"""
    narrations: WeatherNarrations | None = None
    """Weather in words, made by rule"""
    guidance: Guidance | None = None
    """What forecasters wrote for the place"""
    discussions: WeatherDiscussions | None = None
    """Discussions of forecasters; guidance has the same and more"""
    nowcast: Nowcast | None = None
    """Radar moved 90 minutes ahead"""
    radar: RadarPoint | None = None
    """What the newest radar scan has at the point"""
    climate: ClimateNormals | None = None
    """Normals of 1991 to 2020"""
    metar: Metar | None = None
    """Newest report of the nearest station"""
    provenance: WeatherProvenance | None = None
    """Where each number of current, hourly and daily comes from: tables, and indexes into them. Only with include=provenance"""
    gis: GIS
    """What lies around the point"""
    units: Units | None = None
    """Unit of each quantity of the answer"""
    attribution: Attribution
    """Whom to name as the source"""
    meta: Meta
    """About the answer itself"""


class Location(Model):
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    name: str
    """Name of the place, without its state"""
    region: str | None = None
    """Postal abbreviation of the state"""
    country: str | None = None
    """Country by ISO 3166-1 alpha-2"""
    timezone: str
    """Time zone by its IANA name"""
    county: str | None = None
    """County of the point"""
    zip: str | None = None
    """US ZIP code"""
    elevation: float | None = None
    """Ground at the point in units.altitude; null where no source of it was read; ft or m by units.altitude"""
    utc_offset_seconds: int | None = None
    """Offset of timezone at meta.generated_at; s"""


class Current(Model):
    """Values of the newest analysis at `time`; its missing fields are the forecast at that time. What falls is what the radar sees; without radar coverage, the forecast of the hour where it is likelier than not."""

    time: datetime
    """Valid time of the analysis"""
    temperature: float | None = None
    """Air temperature 2 m above the ground; °F or °C by units.temperature"""
    feels_like: float | None = None
    """Heat index, wind chill, or the temperature itself; °F or °C by units.temperature"""
    humidity: float | None = None
    """Relative humidity 2 m above the ground; percent"""
    dew_point: float | None = None
    """Dew point 2 m above the ground; °F or °C by units.temperature"""
    pressure: float | None = None
    """Pressure reduced to sea level; inHg or hPa by units.pressure"""
    wind_speed: float | None = None
    """Wind 10 m above the ground; mph or km/h by units.wind_speed"""
    wind_gust: float | None = None
    """Gusts 10 m above the ground; mph or km/h by units.wind_speed"""
    visibility: float | None = None
    """Visibility at the ground; null where no source has it; mi or km by units.visibility"""
    cloud_cover: float | None = None
    """Part of the sky that is covered; percent"""
    cloud_ceiling: float | None = None
    """Height of the lowest layer that covers more than half of the sky, above the ground; ft or m by units.altitude"""
    cloud_cover_low: float | None = None
    """Low clouds (CONUS); percent"""
    cloud_cover_mid: float | None = None
    """Middle clouds (CONUS); percent"""
    cloud_cover_high: float | None = None
    """High clouds (CONUS); percent"""
    uv_index: float | None = None
    """UV index; UV index"""
    pm25: float | None = None
    """Sub-index of fine particles, AQI scale; AQI"""
    ozone: float | None = None
    """Sub-index of ozone, AQI scale; AQI"""
    pm10: float | None = None
    """Sub-index of coarse particles, AQI scale; AQI"""
    precip_rate: float | None = None
    """Liquid equivalent that falls; in or mm by units.precip_amount, an hour"""
    precip_24h: float | None = None
    """Liquid equivalent of the past 24 hours, gauge-corrected radar estimate, whatever units says; mm"""
    lightning_density: float | None = None
    """Flashes in the area and time window of the source; flashes"""
    wind_direction: int | None = None
    """Direction from which the wind blows; null where calm or variable; degrees from north through east"""
    aqi: int | None = None
    """Air quality index of the US EPA: the greatest sub-index; AQI"""
    lightning_prob: int | None = None
    """Probability of lightning; percent"""
    lightning_flashes: int | None = None
    """Flashes seen from orbit near the point in the past minutes"""
    aqi_category: str | None = None
    """Category of the index"""
    precip_type: str | None = None
    """What falls: none, rain, snow, freezing_rain, ice_pellets, wintry_mix, unknown"""
    conditions: str
    """Conditions in words"""
    icon: str
    """Slug of an icon"""
    severe: bool | None = None
    """Severe conditions are present or imminent"""
    cloud_ceiling_unlimited: bool | None = None
    """No layer covers more than half of the sky"""


class Hour(Model):
    """One hour of the blend. `precip_amount`, `precip_probability`, `snow_amount` and `thunderstorm_probability` are of the hour that ends at `time`, the others at `time`. Beyond the hourly range of the source amounts of 6 hours are dealt out with their sum, and probabilities of 6 hours stand at each hour as an upper bound (`meta.warnings`). `thunder_possible`: thunder 15 percent or CAPE 1000 J/kg. Rows before the current one (`past_hours`) have `source`, `product_id` and `precip_product_id`: each is of one analysis, with the liquid that was measured; what no analysis has is null or absent, and so is all of an hour that is not stored, with a warning."""

    time: datetime
    """Valid time"""
    temperature: float | None = None
    """Air temperature 2 m above the ground; °F or °C by units.temperature"""
    feels_like: float | None = None
    """Heat index, wind chill, or the temperature itself; °F or °C by units.temperature"""
    humidity: float | None = None
    """Relative humidity 2 m above the ground; percent"""
    dew_point: float | None = None
    """Dew point 2 m above the ground; °F or °C by units.temperature"""
    wind_speed: float | None = None
    """Wind 10 m above the ground; mph or km/h by units.wind_speed"""
    wind_gust: float | None = None
    """Gusts 10 m above the ground; mph or km/h by units.wind_speed"""
    wind_direction: int | None = None
    """Direction from which the wind blows; null where calm or variable; degrees from north through east"""
    pressure: float | None = None
    """Pressure reduced to sea level; inHg or hPa by units.pressure"""
    visibility: float | None = None
    """Visibility at the ground; null where no source has it; mi or km by units.visibility"""
    cloud_cover: float | None = None
    """Part of the sky that is covered; percent"""
    cloud_cover_low: float | None = None
    """Low clouds (CONUS); percent"""
    cloud_cover_mid: float | None = None
    """Middle clouds (CONUS); percent"""
    cloud_cover_high: float | None = None
    """High clouds (CONUS); percent"""
    cloud_ceiling: float | None = None
    """Height of the lowest layer that covers more than half of the sky, above the ground; ft or m by units.altitude"""
    precip_probability: float | None = None
    """Probability of measurable precipitation in the hour that ends at time; of the running hour in what is left of it, and in the first row, where radar covers the place, in the next 30 minutes; percent"""
    precip_amount: float | None = None
    """Liquid equivalent of the 60 minutes that end at time: of the first row the hour that ended last, of the second the running hour, whole. What was measured, then the steps of the nowcast, then the models; in or mm by units.precip_amount"""
    precip_type_rain_prob: float | None = None
    """Probability of rain if something falls; percent"""
    precip_type_snow_prob: float | None = None
    """Probability of snow if something falls; percent"""
    precip_type_freezing_rain_prob: float | None = None
    """Probability of freezing rain if something falls; percent"""
    precip_type_ice_pellets_prob: float | None = None
    """Probability of ice pellets if something falls; percent"""
    snow_amount: float | None = None
    """Depth of new snow of the 60 minutes that end at time, as precip_amount; null where no source has snow; in or mm by units.precip_amount"""
    snow_level: float | None = None
    """Height above sea level where snow turns to rain; ft or m by units.altitude"""
    thunderstorm_probability: float | None = None
    """Probability of thunder; percent"""
    cape: float | None = None
    """Convective available potential energy; J/kg"""
    uv_index: float | None = None
    """UV index; UV index"""
    aqi: float | None = None
    """Air quality index of the US EPA: the greatest sub-index; AQI"""
    conditions: str | None = None
    """Conditions in words"""
    icon: str | None = None
    """Slug of an icon"""
    precip_type: str | None = None
    """What falls: none, rain, snow, freezing_rain, ice_pellets, wintry_mix, unknown"""
    severe: bool | None = None
    """Severe conditions are present or imminent"""
    thunder_possible: bool | None = None
    """Thunder of 15 percent or CAPE of 1000 J/kg, in any hour of the row"""
    cloud_ceiling_unlimited: bool | None = None
    """No layer covers more than half of the sky"""
    uncertainty: HourlyUncertainty | None = None
    """Spread of the forecast, with include=uncertainty"""
    source: Literal["observed", "analysis"] | str | None = None
    """Only before the current hour: observed is of URMA, analysis of RTMA; null where nothing is stored"""
    product_id: Literal["urma", "rtma", "rtma-ru"] | str | None = None
    """Only before the current hour: the analysis of the row; null where none is stored"""
    precip_product_id: Literal["mrms-qpe-1h", "mrms-qpe-1h-pass1"] | str | None = None
    """Only before the current hour: the accumulation behind precip_amount; null where none is stored"""


class HourlyUncertainty(Model):
    temperature_stddev: float | None = None
    """Standard deviation of temperature; °F or °C by units.temperature"""
    dew_point_stddev: float | None = None
    """Standard deviation of dew_point; °F or °C by units.temperature"""
    wind_speed_stddev: float | None = None
    """Standard deviation of wind_speed; mph or km/h by units.wind_speed"""
    wind_gust_stddev: float | None = None
    """Standard deviation of wind_gust; mph or km/h by units.wind_speed"""
    visibility_prob_below_1mi: float | None = None
    """Probability of a visibility below 1 mile; percent"""
    visibility_prob_below_2mi: float | None = None
    """Probability of a visibility below 2 miles; percent"""
    visibility_prob_below_3mi: float | None = None
    """Probability of a visibility below 3 miles; percent"""
    visibility_prob_below_5mi: float | None = None
    """Probability of a visibility below 5 miles; percent"""
    ceiling_prob_below_500ft: float | None = None
    """Probability of a ceiling below 500 ft; percent"""
    ceiling_prob_below_1000ft: float | None = None
    """Probability of a ceiling below 1000 ft; percent"""
    ceiling_prob_below_2000ft: float | None = None
    """Probability of a ceiling below 2000 ft; percent"""
    ceiling_prob_below_3000ft: float | None = None
    """Probability of a ceiling below 3000 ft; percent"""
    ceiling_prob_below_6600ft: float | None = None
    """Probability of a ceiling below 6600 ft; percent"""
    wind_speed_p50: float | None = None
    """Median of wind_speed; mph or km/h by units.wind_speed"""
    wind_speed_prob_gt_75mph: float | None = None
    """Probability of a wind of more than 75 mph; percent"""


class Day(Model):
    """The 24 hours from 06:00 of `date` to 05:59 of the next date, by the local clock: not midnight to midnight. `high` is that of the day (06:00 to 17:59), `low` that of the night that follows it, not of the morning before. Before 06:00 the first row is that of yesterday (`relative_day` -1), whose night is running. Of the current row `high`, `low`, `feels_like_high`, `feels_like_low`, the totals, `wind_gust_max`, `uv_index_max`, `dew_point_max` and `dew_point_min` are of all its hours: those that have passed come from analyses and measured amounts, those to come are the rows of `hourly`; the rest is of the hours to come. Where passed hours are not stored they are null, with a warning `partial_day`."""

    date: date
    """Local calendar date"""
    relative_day: int
    """Days from the local date of now: -1 is the night that still runs, 0 today, 1 tomorrow; d"""
    active_period: Literal["day", "night"] | str | None
    """Half that runs now, on the one row that has it: day 06:00 to 17:59, night 18:00 to 05:59"""
    high: float | None = None
    """Highest temperature of the day; °F or °C by units.temperature"""
    low: float | None = None
    """Lowest temperature of the night; °F or °C by units.temperature"""
    precip_probability: float | None = None
    """Probability of measurable precipitation; percent"""
    precip_total: float | None = None
    """Liquid equivalent of the 24 hours from 06:00, the sum of precip_amount of the hours: also of those that have passed, or null with partial_day; in or mm by units.precip_amount"""
    snow_total: float | None = None
    """Depth of new snow of the 24 hours from 06:00: also of the hours that have passed, by the snow ratio of the hour where no depth is known, or null with partial_day; in or mm by units.precip_amount"""
    ice_total: float | None = None
    """Ice from freezing rain of the row; null where no source covers it; in or mm by units.precip_amount"""
    wind_speed_max: float | None = None
    """Greatest wind of the day; mph or km/h by units.wind_speed"""
    wind_gust_max: float | None = None
    """Greatest gust of the day; mph or km/h by units.wind_speed"""
    humidity_avg: float | None = None
    """Mean of humidity; percent"""
    cloud_cover_avg: float | None = None
    """Mean of cloud_cover; percent"""
    uv_index_max: float | None = None
    """Greatest UV index of the day; UV index"""
    cape_max: float | None = None
    """Greatest CAPE of the day; J/kg"""
    dew_point_max: float | None = None
    """Highest dew point of the day; °F or °C by units.temperature"""
    dew_point_min: float | None = None
    """Lowest dew point of the day; °F or °C by units.temperature"""
    pressure_avg: float | None = None
    """Mean of pressure; inHg or hPa by units.pressure"""
    visibility_min: float | None = None
    """Least visibility of the day; mi or km by units.visibility"""
    cloud_ceiling_min: float | None = None
    """Lowest ceiling of the day; ft or m by units.altitude"""
    thunderstorm_probability_max: float | None = None
    """Greatest probability of thunder of the day; percent"""
    aqi_max: float | None = None
    """Greatest air quality index of the day; AQI"""
    feels_like_high: float | None = None
    """Highest feels_like of the day; °F or °C by units.temperature"""
    feels_like_low: float | None = None
    """Lowest feels_like of the night; °F or °C by units.temperature"""
    solar_radiation_max: float | None = None
    """Greatest downward shortwave radiation of the day; W/m²"""
    snow_level: float | None = None
    """Height above sea level where snow turns to rain; ft or m by units.altitude"""
    wind_direction: int | None = None
    """Direction from which the wind blows; null where calm or variable; degrees from north through east"""
    conditions: str | None = None
    """Conditions in words"""
    icon: str | None = None
    """Slug of an icon"""
    severe: bool | None = None
    """Severe conditions are present or imminent"""
    thunder_possible: bool | None = None
    """Thunder of 15 percent or CAPE of 1000 J/kg, in any hour of the row"""
    cloud_ceiling_unlimited: bool | None = None
    """No layer covers more than half of the sky"""
    sources_disagree: bool | None = None
    """Two sources of the row give values that do not fit together"""
    astro: Astro | None = None
    """Sun and moon of a local calendar date"""
    day: DailyPeriod | None = None
    """06:00 to 17:59 by the local clock"""
    night: DailyPeriod | None = None
    """18:00 to 05:59 of the next date by the local clock"""
    threats: list[DailyThreat] | None = None
    """What may do harm that day"""
    uncertainty: DailyUncertainty | None = None
    """Spread of the forecast, with include=uncertainty"""
    climate: DailyClimate | None = None
    """Normals of the date and how far the forecast is from them"""


class Astro(Model):
    """Events of the local calendar date, null where one does not occur on it. `day_length` is that of the daylight around the solar noon of the date, also where the sun sets after midnight."""

    civil_dawn: datetime | None
    """Sun 6° below the horizon before sunrise; null where it does not occur that date"""
    sunrise: datetime | None
    """Upper limb at the horizon; null on polar day and night"""
    solar_noon: datetime | None
    """Sun highest"""
    sunset: datetime | None
    """Upper limb at the horizon; null on polar day and night"""
    civil_dusk: datetime | None
    """Sun 6° below the horizon after sunset; null where it does not occur that date"""
    moonrise: datetime | None
    """Moonrise; null where it does not occur that date"""
    moonset: datetime | None
    """Moonset; null where it does not occur that date"""
    day_length: int
    """Sunrise to sunset; 86400 under the midnight sun, 0 in the polar night; s"""
    daylight_length: int
    """Civil dawn to civil dusk; 86400 where civil twilight never ends; s"""
    moon_phase: float
    """Phase: 0 and 1 new, 0.5 full"""
    moon_phase_name: str
    """Name of the phase"""
    moon_illumination: float
    """Lit part of the disc"""
    polar: Literal["midnight_sun", "polar_night"] | str | None = None
    """Set where the sun neither rises nor sets"""


class DailyPeriod(Model):
    """Day 06:00 to 17:59, night 18:00 to 05:59 of the next date, by the local clock. `temperature` is the highest of the day, the lowest of the night, and `dew_point`, `humidity` and `feels_like` are of the same hour. `wind_speed`, `cloud_cover` and `pressure` are means, `wind_gust`, `uv_index`, `cape` and the probabilities greatest values, `visibility` and `cloud_ceiling` least ones. Of the half that runs all but the temperature are of the hours still to come; a half that has passed has what was analysed and measured, and no probabilities."""

    temperature: float | None = None
    """Highest temperature of the day, lowest of the night; null where the half has none; °F or °C by units.temperature"""
    wind_speed: float | None = None
    """Wind 10 m above the ground; mph or km/h by units.wind_speed"""
    precip_probability: float | None = None
    """Probability of measurable precipitation; percent"""
    precip_total: float | None = None
    """Sum of precip_amount of the hours of the half; while it runs of those that have not ended, the running one whole. Null where no source covers it; in or mm by units.precip_amount"""
    snow_total: float | None = None
    """Sum of snow_amount of the same hours as precip_total; null where no source covers it; in or mm by units.precip_amount"""
    ice_total: float | None = None
    """Ice from freezing rain of the row; null where no source covers it; in or mm by units.precip_amount"""
    humidity: float | None = None
    """Relative humidity 2 m above the ground; percent"""
    cloud_cover: float | None = None
    """Part of the sky that is covered; percent"""
    wind_gust: float | None = None
    """Gusts 10 m above the ground; mph or km/h by units.wind_speed"""
    dew_point: float | None = None
    """Dew point 2 m above the ground; °F or °C by units.temperature"""
    feels_like: float | None = None
    """Heat index, wind chill, or the temperature itself; °F or °C by units.temperature"""
    visibility: float | None = None
    """Visibility at the ground; null where no source has it; mi or km by units.visibility"""
    pressure: float | None = None
    """Pressure reduced to sea level; inHg or hPa by units.pressure"""
    cloud_ceiling: float | None = None
    """Height of the lowest layer that covers more than half of the sky, above the ground; ft or m by units.altitude"""
    uv_index: float | None = None
    """UV index; UV index"""
    thunderstorm_probability: float | None = None
    """Probability of thunder; percent"""
    cape: float | None = None
    """Convective available potential energy; J/kg"""
    aqi: float | None = None
    """Air quality index of the US EPA: the greatest sub-index; AQI"""
    wind_direction: int | None = None
    """Direction from which the wind blows; null where calm or variable; degrees from north through east"""
    precip_type: str | None = None
    """What falls: none, rain, snow, freezing_rain, ice_pellets, wintry_mix, unknown"""
    conditions: str | None = None
    """Conditions in words"""
    icon: str | None = None
    """Slug of an icon"""
    narrative: str | None = None
    """The half in words"""
    thunder_possible: bool | None = None
    """Thunder of 15 percent or CAPE of 1000 J/kg, in any hour of the row"""
    severe: bool | None = None
    """Severe conditions are present or imminent"""
    cloud_ceiling_unlimited: bool | None = None
    """No layer covers more than half of the sky"""


class DailyThreat(Model):
    """From outlooks that are mostly about the day (severe, fire, flood) and from its own numbers: winter (snow from 1 inch, ice), heat (feels like 95 °F and more), cold (-18 °F and less), wind (gusts of 46 mph and more)."""

    type: str
    """Kind: severe, winter, heat, cold, wind, fire, flood"""
    risk: str | None = None
    """Risk as the outlook has it"""
    probability: float | None = None
    """Probability within 25 miles of a point"""
    risk_label: str
    """Risk in words"""


class DailyUncertainty(Model):
    temperature_stddev_avg: float | None = None
    """Mean of temperature_stddev; °F or °C by units.temperature"""
    dew_point_stddev_avg: float | None = None
    """Mean of dew_point_stddev; °F or °C by units.temperature"""
    wind_speed_stddev_avg: float | None = None
    """Mean of wind_speed_stddev; mph or km/h by units.wind_speed"""
    wind_gust_stddev_avg: float | None = None
    """Mean of wind_gust_stddev; mph or km/h by units.wind_speed"""
    visibility_prob_below_1mi_max: float | None = None
    """Greatest probability of a visibility below 1 mile; percent"""
    ceiling_prob_below_1000ft_max: float | None = None
    """Greatest probability of a ceiling below 1000 ft; percent"""
    snow_total_p10: float | None = None
    """Snow that is exceeded with 90 percent; in or mm by units.precip_amount"""
    snow_total_p50: float | None = None
    """Median of snow_total; in or mm by units.precip_amount"""
    snow_total_p90: float | None = None
    """Snow that is exceeded with 10 percent; in or mm by units.precip_amount"""
    snow_prob_gt_1in: float | None = None
    """Probability of more than 1 inch of snow; percent"""
    snow_prob_gt_2in: float | None = None
    """Probability of more than 2 inches of snow; percent"""
    snow_prob_gt_4in: float | None = None
    """Probability of more than 4 inches of snow; percent"""
    snow_window_start: datetime | None
    """Of the 24 hours that the percentiles and probabilities of snow are for"""
    snow_window_end: datetime | None
    """End of the 24 hours that the percentiles and probabilities of snow are for"""


class DailyClimate(Model):
    normal_high: float | None = None
    """Normal high of the date; °F or °C by units.temperature"""
    normal_low: float | None = None
    """Normal low of the date; °F or °C by units.temperature"""
    high_departure: float | None = None
    """high less normal_high; °F or °C by units.temperature"""
    low_departure: float | None = None
    """low less normal_low; °F or °C by units.temperature"""


class Alert(Model):
    id: str
    """Id of the NWS message"""
    event: str
    """Name of the event"""
    severity: str
    """Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown"""
    urgency: str
    """Urgency by CAP: Immediate, Expected, Future, Past, Unknown"""
    certainty: str
    """Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown"""
    headline: str
    """Headline of the message"""
    sender: str
    """Issuing office"""
    status: Literal["Actual", "Exercise", "Test"] | str
    """Actual, or a message that is no warning: Exercise, Test"""
    onset: datetime
    """Begin of the event"""
    ends: datetime
    """End of the event"""
    effective: datetime
    """Begin of the message"""
    expires: datetime
    """End of the message"""
    expiration: datetime
    """When it is over whatever else comes: ends, else expires"""
    area_desc: str | None = None
    """Areas in words"""
    highlights: dict[str, str] | None = None
    """Chosen parameters of the message, such as the hail size, by name"""


class Outlook(Model):
    product_id: str
    """Id of the dataset in /v1/catalog"""
    type: str
    """What the outlook is for: severe, tornado, hail, wind, fire, flood"""
    risk_label: str
    """Risk in words"""
    day: int
    """Day of the outlook: 1 is today; d"""
    valid: datetime
    """Begin of the outlook"""
    expires: datetime
    """End of the outlook"""
    risk: str | None = None
    """Risk as the outlook has it"""
    probability: float | None = None
    """Probability within 25 miles of a point"""
    significant: bool | None = None
    """Inside the area of significant severe weather: EF2 tornadoes, hail of 2 inches, gusts of 65 kt"""
    intensity_group: int | None = None
    """Conditional intensity group (CIG 1 to 3) of the severe weather that may come, where one is drawn; rank"""


class GuidanceHwo(Model):
    """Hazardous weather outlook"""

    day_one: str | None = None
    """Text of its first day"""
    summary: str | None = None
    """Summary of the text"""
    body: str | None = None
    """Whole text"""
    has_active_hazards: bool
    """The text names a hazard for today"""
    issued_at: datetime | None = None
    """Time of issue; null where the text has none"""


class GuidanceNow(Model):
    """Short-term forecast of the office"""

    summary: str | None = None
    """Summary of the text"""
    wfo: str | None = None
    """Forecast office"""
    body: str | None = None
    """Whole text"""
    issued_at: datetime | None = None
    """Time of issue; null where the text has none"""


class GuidanceHls(Model):
    """Hurricane local statement"""

    summary: str | None = None
    """Summary of the text"""
    wfo: str | None = None
    """Forecast office"""
    body: str | None = None
    """Whole text"""
    issued_at: datetime | None = None
    """Time of issue; null where the text has none"""


class Guidance(Model):
    afd: AFD | None = None
    """Area forecast discussion"""
    hwo: GuidanceHwo | None = None
    """Hazardous weather outlook"""
    now: GuidanceNow | None = None
    """Short-term forecast of the office"""
    hls: GuidanceHls | None = None
    """Hurricane local statement"""
    active_mcds: int
    """Mesoscale discussions whose area covers the point now"""
    mcds: list[MCD] | None = None
    """These discussions"""
    active_mpds: int | None = None
    """Mesoscale precipitation discussions whose area covers the point now"""
    mpds: list[MPD] | None = None
    """These discussions"""
    pmds: list[PMD] | None = None
    """Discussions of the Weather Prediction Center"""
    swo_day1_risk: str | None = None
    """Categorical risk of the convective outlook of day 1"""


class AFD(Model):
    synopsis: str | None = None
    """Its synopsis"""
    key_takeaway: str | None = None
    """Its key message"""
    confidence: str | None = None
    """Its words of confidence"""
    wfo: str | None = None
    """Forecast office"""
    body: str | None = None
    """Whole text"""
    issued_at: datetime | None = None
    """Time of issue; null where the text has none"""


class MCD(Model):
    mcd_number: int
    """Number of the discussion in its year"""
    issued_at: datetime | None = None
    """Time of issue; null where the text has none"""
    expires_at: datetime | None = None
    """When it ends; null where it does not"""
    concerning: str | None = None
    """What it is about"""
    areas_affected: str | None = None
    """Area in words"""
    summary: str | None = None
    """Summary of the text"""
    body: str | None = None
    """Whole text"""
    watch_probability: int | None = None
    """Probability that a watch follows; percent"""


class MPD(Model):
    mpd_number: int
    """Number of the discussion in its year"""
    issued_at: datetime | None = None
    """Time of issue; null where the text has none"""
    expires_at: datetime | None = None
    """When it ends; null where it does not"""
    concerning: str | None = None
    """What it is about"""
    areas_affected: str | None = None
    """Area in words"""
    flash_flood_tier: str | None = None
    """Flash flooding: possible, likely, occurring"""
    summary: str | None = None
    """Summary of the text"""
    body: str | None = None
    """Whole text"""


class PMD(Model):
    awips_id: str | None = None
    """AWIPS id of the text"""
    pmd_desk: str | None = None
    """Which of its discussions: SPD, EPD, HI, CA, MRD, THR, ENS"""
    summary: str | None = None
    """Summary of the text"""
    body: str | None = None
    """Whole text"""
    issued_at: datetime | None = None
    """Time of issue; null where the text has none"""


class Nowcast(Model):
    interval_seconds: int
    """Time between points; s"""
    generated_at: datetime
    """Time of the radar scan that it starts from"""
    summary: NowcastSummary | None = None
    """When precipitation begins and ends"""
    points: list[NowcastPoint]
    """Steps of the next 90 minutes"""


class NowcastSummary(Model):
    starts_at: datetime | None = None
    """When precipitation begins; null where none does"""
    ends_at: datetime | None = None
    """When it ends; null where it lasts longer"""
    duration_minutes: int | None = None
    """How long it lasts; null where its end is not known; min"""
    type: Literal["rain", "snow", "freezing_rain", "wintry_mix", "unknown", "none"] | str
    """What falls in most steps of the episode"""
    peak_intensity: str | None = None
    """Greatest intensity"""
    already_occurring: bool | None = None
    """It falls already"""


class NowcastPoint(Model):
    time: datetime
    """Valid time"""
    type: Literal["none", "rain", "snow", "freezing_rain", "wintry_mix", "no_coverage", "unknown"] | str
    """What falls"""
    intensity_dbz: float
    """Reflectivity; dBZ"""
    intensity: str
    """Intensity in words"""
    precip_rate: float | None = None
    """Liquid equivalent that falls; in or mm by units.precip_amount, an hour"""
    precip_probability: float | None = None
    """Probability of measurable precipitation; percent"""


class RadarPoint(Model):
    product_id: str
    """Id of the dataset in /v1/catalog"""
    valid_time: datetime
    """Valid time of the values"""
    site: RadarSitePoint
    """Radar, where the product is of a single one"""
    reflectivity_dbz: float | None = None
    """Reflectivity; null where dry or without coverage; dBZ"""
    precip_rate: float | None = None
    """Liquid equivalent that falls; in or mm by units.precip_amount, an hour"""
    coverage: Literal["value", "dry", "no_coverage"] | str
    """value, dry, or no_coverage: no radar sees the point"""


class RadarSitePoint(Model):
    """The lowest beam of the nearest radar with a scan of the last 20 minutes; else the nearest radar with `valid_time` null. Velocities in `units.wind_speed`, positive away from the radar."""

    id: str
    """Id of the station, radar, office or zone"""
    name: str
    """Name"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    distance_km: float
    """Distance from the point; km"""
    valid_time: datetime | None
    """Valid time of the values"""
    elevation_angle: float | None
    """Elevation of the beam above the horizon; degrees"""
    coverage: Literal["value", "dry", "no_coverage"] | str
    """value, dry, or no_coverage: without a scan, beyond its reach, or a folded echo"""
    reflectivity_dbz: float | None
    """Reflectivity; null where dry or without coverage; dBZ"""
    radial_velocity: float | None
    """Velocity along the beam, positive away from the radar; null where there is none; mph or km/h by units.wind_speed"""
    storm_relative_velocity: float | None
    """radial_velocity less the mean motion of storms, in coarse steps; null where there is none; mph or km/h by units.wind_speed"""
    hydrometeor: str | None
    """What scatters the beam: rain, heavy_rain, wet_snow, dry_snow, hail_rain, graupel, ground_clutter, …; null where there is none"""


class ClimateNormalsStation(Model):
    """Station of the normals"""

    station_id: str
    """Id of the station"""
    name: str
    """Name"""
    state: str | None = None
    """Postal abbreviation of the state"""
    latitude: float
    """Latitude of the station, north is positive; degrees"""
    longitude: float
    """Longitude of the station, west is negative; degrees"""
    elevation_m: float | None = None
    """Height above sea level; m"""
    distance_km: float
    """Distance from the point; km"""


class ClimateNormalsMeta(Model):
    """How the normals were made"""

    normals_period: str
    """Years of the normals"""
    source: Literal["station", "grid", "mixed"] | str
    """Whether they are of a station or of a grid"""
    normals_method: str
    """How they were made"""
    unit: str
    """Unit of the temperatures"""
    approximate: bool
    """The station is far from the point"""
    missing_days: int
    """Days without a normal"""


class ClimateNormalsDay(Model):
    date: date
    """Local calendar date"""
    month: int
    """Month of the year; month"""
    day: int
    """Day of the month; d"""
    normal_high: float | None = None
    """Normal high of the date; °F or °C by units.temperature"""
    normal_low: float | None = None
    """Normal low of the date; °F or °C by units.temperature"""
    normal_mean: float | None = None
    """Normal mean of the date; °F or °C by units.temperature"""
    normal_high_stddev: float | None = None
    """Standard deviation of the high; °F or °C by units.temperature"""
    normal_low_stddev: float | None = None
    """Standard deviation of the low; °F or °C by units.temperature"""
    normal_mean_stddev: float | None = None
    """Standard deviation of the mean; °F or °C by units.temperature"""
    normal_precip: float | None = None
    """Normal precipitation of the date; in or mm by units.precip_amount"""
    years: int | None = None
    """Years that the normal is made of; year"""
    completeness_flag: str | None = None
    """NCEI's flag of completeness"""


class ClimateNormals(Model):
    station: ClimateNormalsStation
    """Station of the normals"""
    meta: ClimateNormalsMeta
    """How the normals were made"""
    days: list[ClimateNormalsDay]
    """Normals by date"""
    location: Location | None = None
    """The place of the answer"""


class MetarLayer(Model):
    cover: str
    """Cover: FEW, SCT, BKN, OVC, VV"""
    base_ft: int | None = None
    """Base above the station; ft"""
    convective: str | None = None
    """Convective cloud: CB or TCU"""


class Metar(Model):
    station_id: str
    """Id of the station"""
    distance_km: float
    """Distance from the point; km"""
    observed_at: datetime
    """Time of the report"""
    age_min: float
    """Age of the report; min"""
    ceiling_ft: int | None = None
    """Lowest broken or overcast layer above the station; ft"""
    layers: list[MetarLayer] | None = None
    """Layers of clouds, the lowest first"""
    weather: list[str] | None = None
    """Groups of present weather as reported"""


class GISNearestRadar(Model):
    """Nearest radar"""

    id: str
    """Id of the station, radar, office or zone"""
    name: str
    """Name"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    distance_km: float
    """Distance from the point; km"""


class GISNearestStation(Model):
    """Nearest station"""

    id: str
    """Id of the station, radar, office or zone"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    distance_km: float
    """Distance from the point; km"""
    name: str | None = None
    """Name"""
    state: str | None = None
    """Postal abbreviation of the state"""
    elevation_m: float | None = None
    """Height above sea level; m"""


class GIS(Model):
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    timezone: str
    """Time zone by its IANA name"""
    city: str | None = None
    """City that the point lies in"""
    nearest_city: str | None = None
    """Nearest city"""
    state: str | None = None
    """Postal abbreviation of the state"""
    county: str | None = None
    """County of the point"""
    country: str | None = None
    """Country by ISO 3166-1 alpha-2"""
    population: int | None = None
    """People who live there"""
    nearest_radar: GISNearestRadar | None = None
    """Nearest radar"""
    nearest_station: GISNearestStation | None = None
    """Nearest station"""


class Units(Model):
    temperature: Literal["F", "C"] | str
    """Unit of temperatures"""
    wind_speed: Literal["mph", "kph"] | str
    """Unit of wind speeds"""
    pressure: Literal["inHg", "hPa"] | str
    """Unit of pressures"""
    visibility: Literal["mi", "km"] | str
    """Unit of visibilities"""
    precip_amount: Literal["in", "mm"] | str
    """Unit of amounts of rain, snow and ice"""
    altitude: Literal["m", "ft"] | str
    """Unit of heights"""
    solar_radiation: Literal["W/m^2"] | str
    """Unit of radiation, always the same"""


class Attribution(Model):
    sources: list[str]
    """Sources of the answer"""
    notice: str
    """What to show beside the data"""


class MetaHourlySampling(Model):
    """Only where hourly_step dropped rows"""

    step_hours: int
    """hourly_step as applied; h"""
    from_hour: int
    """hourly_step_from as applied; h"""


class Meta(Model):
    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    freshness: list[SourceFreshness] | None = None
    """Age of each source"""
    warnings: list[MetaWarning] | None = None
    """What is missing, late or assumed"""
    hourly_sampling: MetaHourlySampling | None = None
    """Only where hourly_step dropped rows"""


class SourceFreshnessMonitor(Model):
    pollutant: Literal["pm25", "ozone", "pm10"] | str
    """Pollutant of the sub-index"""
    id: str
    """Id of the monitor"""
    name: str
    """Name"""
    distance_km: float
    """Distance from the point; km"""
    hour: datetime
    """Start of the hour of the measurement"""


class SourceFreshness(Model):
    source: str
    """Family of the dataset"""
    product_id: str
    """Id of the dataset in /v1/catalog"""
    reference_time: datetime | None = None
    """Reference time of the run"""
    latest_valid: datetime | None = None
    """Last valid time of the run"""
    age_seconds: int
    """Age since reference_time; null where nothing is there; s"""
    monitors: list[SourceFreshnessMonitor] | None = None
    """Air quality: the monitor of each sub-index, its distance, and the start of its hour."""


class MetaWarning(Model):
    code: str
    """Stable; new ones may be added. `simulated_data`: the data come from a simulator and are not real weather. `stale_source`: a source is older than its limit; its values are omitted or (alerts, radar, lightning) shown with this warning. `source_missing`: a source that should cover the point has no data for it now. `source_incomplete`: the run of a source lacks variables or hours that it should have; `fields` are null. `source_failed`: a source could not be read; a later request may succeed. `not_held`: this installation has no data of this kind. `no_coverage`: a source does not reach the place. `fields_missing`: fields are null for the whole section. `probability_upper_bound`: a probability for 3, 6 or 12 hours is shown at each hour of the period, as an upper bound. `nowcast_blended`: radar and lightning are blended with the model in the hours from `from` to `to`: weight 1 now, 0 after 120 minutes. `source_fallback`: another source is used, named in `detail`; in current, the model at this hour if no analysis is newer than 90 minutes. `partial_day`: no values are stored for a part of the current day that has passed: `fields` for the whole day are null in its row. `sources_disagree`: a total lies outside the percentiles beside it, because two sources disagree. `amount_split`: amounts of 6 hours are shown as hourly ones that keep the sum. `feed_unconfirmed`: a feed could not be confirmed; the last known data are shown. `area_approximated`: alerts for zones without geometry are shown for their whole counties: for too large an area, never too small. `place_assumed`: a place name matches several places; the most populous was chosen. `truncated`: a list was shortened to its limit; `detail` has the total. `history_short`: less history is stored than requested; `detail` has the first stored time. `unreadable_product`: a text product could not be read and was not used. `location_unverified`: the location lookup was unavailable. `text_incomplete`: the newest text of an office or center could not be read; the previous text is shown while it is current. `degraded`: a part of the system answers from its last known state. `unknown_event`: an alert filter names an event that is in no NWS list and has no current alert: an empty list is not an all-clear. `no_data`: the station or place is known, but nothing is stored for the requested period."""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """The same in words"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""
    fields: list[str] | None = None
    """Fields that are null or left out"""
    from_: datetime | None = Field(None, alias="from")
    """First valid time that it is about"""
    to: datetime | None = None
    """Last valid time that it is about"""


class ProductCoverage(Model):
    domain: str
    """conus, alaska, hawaii; empty where the dataset is one piece"""
    bbox: list[float]
    """west, south, east, north"""
    native_km: float
    """Grid spacing of the source; km"""


class ProductVariableUnits(Model):
    """Units of the variable in answers"""

    imperial: str
    """Unit with units=imperial"""
    metric: str
    """Unit with units=metric"""


class ProductVariable(Model):
    name: str
    """Name of the variable in requests and answers"""
    unit: str
    """Unit of the stored values"""
    units: ProductVariableUnits | None = None
    """Units of the variable in answers"""
    standard_name: str | None
    """Standard name in the CF conventions; null if there is none"""
    description: str
    """What it is, in words"""
    kind: str
    """Whether a value is for an instant, or for the interval that ends at its time"""


class ProductServed(Model):
    domain: str
    """conus, alaska, hawaii; empty where the dataset is one piece"""
    run: datetime
    """Reference time of the run"""
    published_at: datetime
    """When it was published"""
    age_seconds: int
    """Age since reference_time; null where nothing is there; s"""
    stale: bool
    """Whether the run is older than stale_after_seconds"""


class Product(Model):
    product_id: str
    """Id of the dataset in /v1/catalog"""
    source: str
    """Source of the values"""
    title: str
    """Title of the dataset"""
    description: str
    """What it is, in words"""
    kind: Literal["grid", "frame", "station", "event", "text", "climatology"] | str
    """Kind of the dataset"""
    provider: str
    """Producer of the dataset"""
    attribution: str
    """Whom to name as the source"""
    cadence_seconds: float
    """Time between runs; s"""
    latency_seconds: float
    """Usual time from reference time to publication; s"""
    stale_after_seconds: float
    """Age at which the dataset counts as late; s"""
    h3_resolution: int | None
    """H3 resolution of the stored cells; null if the dataset is not stored by cell; H3 resolution"""
    coverage: list[ProductCoverage]
    """Domains of the dataset"""
    variables: list[ProductVariable]
    """Variables of the dataset"""
    served: list[ProductServed]
    """Runs that answers use now"""


class ClimateReportTemperatureNormals(Model):
    """Normals of the date"""

    high: float | None
    """Normal high of the date; °F"""
    low: float | None
    """Normal low of the date; °F"""
    average: float | None
    """Mean of high and low; °F"""


class ClimateReportTemperatureDepartures(Model):
    """Differences from the normals"""

    high: float | None
    """High less its normal; °F or °C by units.temperature"""
    low: float | None
    """Low less its normal; °F or °C by units.temperature"""
    average: float | None
    """Mean less its normal; °F or °C by units.temperature"""


class ClimateReportTemperatureRecords(Model):
    """Records of the date"""

    high: float | None
    """Highest temperature on record for the date; °F"""
    high_years: list[int]
    """Years of the record"""
    low: float | None
    """Lowest temperature on record for the date; °F"""
    low_years: list[int]
    """Years of the record"""


class ClimateReportTemperature(Model):
    """°F"""

    high: float | None
    """Highest temperature of the day; °F"""
    low: float | None
    """Lowest temperature of the day; °F"""
    average: float | None
    """Mean of high and low; °F"""
    normals: ClimateReportTemperatureNormals
    """Normals of the date"""
    departures: ClimateReportTemperatureDepartures
    """Differences from the normals"""
    records: ClimateReportTemperatureRecords
    """Records of the date"""


class ClimateReportPrecipitation(Model):
    """in"""

    total: float | None
    """Amount in inches; null if missing or a trace; in"""
    trace: bool
    """Whether a trace fell"""
    month_to_date: float | None
    """Sum of the month so far; in"""
    normal: float | None
    """Normal of the date; in"""
    record: float | None
    """Largest amount on record for the date; in"""
    record_years: list[int]
    """Years of the record"""
    year_to_date: float | None
    """Sum of the year so far; in"""


class ClimateReportSnow(Model):
    """in"""

    total: float | None
    """Amount in inches; null if missing or a trace; in"""
    trace: bool
    """Whether a trace fell"""
    month_to_date: float | None
    """Sum of the month so far; in"""
    normal: float | None
    """Normal of the date; in"""
    record: float | None
    """Largest amount on record for the date; in"""
    record_years: list[int]
    """Years of the record"""
    depth: float | None
    """Snow on the ground; in"""
    season_to_date: float | None
    """Sum of the snow season so far; in"""


class ClimateReport(Model):
    station: str
    """AWIPS code"""
    name: str
    """Name of the station in its report"""
    date: date
    """Local calendar date"""
    issued_at: datetime
    """Time of issue; null where the text has none"""
    office: str
    """Forecast office"""
    preliminary: bool
    """Whether the report was issued before the day was over"""
    temperature: ClimateReportTemperature
    """°F"""
    precipitation: ClimateReportPrecipitation
    """in"""
    snow: ClimateReportSnow
    """in"""


class ClimateRecord(Model):
    station: str
    """AWIPS code"""
    event: Literal["HIGH", "LOW", "HIGH_MIN", "LOW_MAX", "RAIN", "SNOW", "OTHER"] | str
    """Record that was exceeded or tied"""
    value: float | None
    """°F or in; °F or in"""
    previous: float | None
    """Previous record, °F or in; °F or in"""
    previous_year: int | None
    """Year of the previous record, the last of several; year"""
    previous_years: list[int]
    """Years of the previous record"""
    tied: bool | None
    """Whether the record was tied and not exceeded; null if the text does not say"""
    issued_at: datetime
    """Time of issue; null where the text has none"""
    office: str
    """Forecast office"""
    date: date
    """Local calendar date"""
    text: str
    """Text of the report"""


class WebhookFilter(Model):
    """A place as in /v1/alerts, the least severity, names of alerts, and datasets of runs; for nowcast.onset, the point and how far ahead to report"""

    lat: float | None = None
    """Latitude, north is positive; degrees"""
    lon: float | None = None
    """Longitude, west is negative; degrees"""
    bbox: str | None = None
    """west,south,east,north in degrees"""
    area: str | None = None
    """State, or the two letters of marine zones"""
    zone: str | None = None
    """Zone or county"""
    office: str | None = None
    """Forecast office"""
    min_severity: Literal["Extreme", "Severe", "Moderate", "Minor", "Unknown"] | str | None = None
    """The least severity that is reported"""
    event: list[str] | None = None
    """Names of alerts"""
    dataset_id: list[str] | None = None
    """Datasets whose runs are reported"""
    within_minutes: int | None = None
    """How far ahead precipitation is reported; min"""


class WebhookWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class Webhook(Model):
    id: str
    """Id of the webhook"""
    url: str
    """URL of the receiver: https with a public host name"""
    events: list[str]
    """Types of events"""
    filter: WebhookFilter
    """Conditions on events"""
    description: str
    """Purpose of the webhook"""
    enabled: bool
    """Whether calls are sent; false while paused, and after the receiver answered 410"""
    created_at: datetime
    """When it was made"""
    waiting: int
    """Number of waiting calls"""
    failing_since: datetime | None
    """When the receiver began to fail (no answer, 5xx, 408, 429, redirects); null while it works"""
    next_attempt_at: datetime | None
    """Time of the next call to a failing receiver; null while it works"""
    warnings: list[WebhookWarning] | None = None
    """Doubts about the filter of the request: unknown_event"""


class WebhookDelivery(Model):
    id: str
    """The webhook-id header, the same at every attempt"""
    type: str
    """Type of the event"""
    subject: str
    """Subject of the event; calls with one subject are sent in order"""
    state: Literal["pending", "delivered", "dead"] | str
    """dead: attempts failed for a day, or too many calls were waiting"""
    attempts: int
    """Attempts so far"""
    next_at: datetime | None
    """Time of the next attempt; null if there is none"""
    status: int | None
    """Status of the last answer; null without an answer; HTTP status"""
    error: str | None
    """Why the last attempt failed; null if it succeeded"""
    created_at: datetime
    """When it was made"""
    ended_at: datetime | None
    """When the call was delivered or given up"""


class KeyRecord(Model):
    prefix: str
    """First characters of the key: its name in lists and logs"""
    name: str
    """Name of the key"""
    plan: str
    """Plan of the key"""
    scopes: list[str]
    """Scopes of the key"""
    created_at: datetime
    """When it was made"""
    expires_at: datetime | None
    """When it ends; null where it does not"""
    revoked_at: datetime | None
    """When the key was revoked; null while it is valid"""


class StatusAnswerDatasetExpectedNext(Model):
    """The next run, frame or read"""

    run: datetime | None
    """Reference time; null for a feed"""
    expected_at: datetime
    """When it is usually served, the median of the last 90 days"""
    late_at: datetime
    """When it becomes late: the 95th percentile and a margin of at least 15 minutes"""
    learned: bool
    """False until seven days are recorded: the declared latency is used"""


class StatusAnswerDatasetLastFailure(Model):
    at: datetime
    """When it failed"""
    run: datetime | None
    """The run or frame that was rejected; null for a feed"""
    detail: str
    """Reason"""


class StatusAnswerDatasetSecondSource(Model):
    """Second source, used while the first fails or is late; null while the first is used"""

    host: str
    """Host of the second source"""
    since: datetime
    """When reading from it began"""
    reason: str
    """Why the first source is not used"""


class StatusAnswerDatasetQuarantine(Model):
    at: datetime
    """When it was last detected"""
    run: datetime
    """Run or scan; for a feed, the hour of the read; for rows of a feed, the day"""
    variable: str | None
    """Variable, row or feature that is omitted; null for a whole file"""
    reason: str
    """Reason code"""
    lead_hours: list[int]
    """Affected hours of the run"""
    detail: str
    """Expected and actual values"""


class StatusAnswerDataset(Model):
    dataset_id: str
    """Id of a dataset of /v1/catalog, or blend"""
    title: str
    """Title of the dataset"""
    domain: str | None
    """conus, alaska, hawaii; empty or null where the dataset is one piece"""
    kind: Literal["grid", "frame", "station", "event", "text", "climatology"] | str
    """Kind of the dataset"""
    state: Literal["on_time", "late", "stale", "nothing_stored", "not_configured", "unknown"] | str
    """late: the next run is overdue, or a source of frames provides none (see last_failures); stale: the served data are older than the limit of the dataset; not_configured: this installation does not ingest the dataset; unknown: the database does not answer, and the other members are as of generated_at"""
    run: datetime | None
    """Reference time of the served run or frame; of a feed its last confirmed read"""
    stage: int | None
    """Last served stage of a model run, from 0"""
    available_at: datetime | None
    """When the run was first served"""
    age_seconds: int | None
    """Age since reference_time; null where nothing is there; s"""
    expected_next: StatusAnswerDatasetExpectedNext | None
    """The next run, frame or read"""
    late_by_seconds: int | None
    """Seconds since expected_at if the run is late; 0 if it is on time; s"""
    last_failures: list[StatusAnswerDatasetLastFailure]
    """The newest three of the last seven days, newest first"""
    second_source: StatusAnswerDatasetSecondSource | None
    """Second source, used while the first fails or is late; null while the first is used"""
    quarantine: list[StatusAnswerDatasetQuarantine]
    """Data that upstream delivered in the last day and that are not published, the newest three: variables of runs, scans, documents and rows of feeds"""
    availability: list[float | None]
    """Share of checked minutes in which the dataset was not stale, for each of 90 days, oldest first; null if nothing was checked"""


class StatusAnswer(Model):
    generated_at: datetime
    """When the state was read"""
    status: Literal["ok", "degraded", "outage"] | str
    """degraded if data are stale or missing; outage if no model run is stored"""
    simulated: bool
    """Whether the weather is simulated"""
    notes: list[str]
    """Why the document itself may be out of date"""
    availability_from: date
    """First day of the `availability` lists"""
    datasets: list[StatusAnswerDataset]
    """State of each dataset"""


class WeatherBatchAnswerResultProblem(Model):
    """Why the point has no answer"""

    type: str
    """Stable URI of the kind of failure, to compare and not to fetch"""
    title: str
    """Title of the kind of failure"""
    status: int
    """Status code of the failure; HTTP status"""
    detail: str
    """What is wrong, what was expected, and what to do next"""


class WeatherBatchAnswerResult(Model):
    index: int
    """Place of the point in the request, from 0"""
    status: Literal["ok", "outside_coverage", "error"] | str
    """ok, or why the point has no answer"""
    weather: Weather | None = None
    """The answer of /v1/weather for the point"""
    problem: WeatherBatchAnswerResultProblem | None = None
    """Why the point has no answer"""


class WeatherBatchAnswer(Model):
    results: list[WeatherBatchAnswerResult]
    """One for each point, in the order of the request"""


class PointAnswerResultSeries(Model):
    """Values over time"""

    dataset_id: str
    """Id of a dataset of /v1/catalog, or blend"""
    valid_times: list[datetime]
    """Valid times, ascending"""
    data: dict[str, list[float | None]]
    """Values of each variable, one for each valid time"""
    sources: list[str | None] | None = None
    """For a period: the analysis and accumulation, or the run, of each time; null if nothing is stored"""


class PointAnswerResult(Model):
    index: int
    """Place of the point in the request, from 0"""
    status: Literal["ok", "out_of_domain"] | str
    """ok, or why the point has no value"""
    retryable: bool | None = None
    """The point could not be checked in time: ask again"""
    series: PointAnswerResultSeries | None = None
    """Values over time"""
    values: dict[str, float | None] | None = None
    """Value of each variable; null if there is none"""
    valid_time: datetime | None = None
    """Valid time of the values"""
    source: str | None = None
    """Source of the values"""


class PointAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class PointAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[PointAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class PointAnswer(Model):
    results: list[PointAnswerResult]
    """One for each point, in the order of the request"""
    units: dict[str, str]
    """System of units; in an answer the unit of each variable"""
    meta: PointAnswerMeta
    """Metadata of the answer"""


class SeriesBatchAnswerResultSeries(Model):
    """Values over time"""

    dataset_id: str
    """Id of a dataset of /v1/catalog, or blend"""
    valid_times: list[datetime]
    """Valid times, ascending"""
    data: dict[str, list[float | None]]
    """Values of each variable, one for each valid time"""
    sources: list[str | None] | None = None
    """For a period: the analysis and accumulation, or the run, of each time; null if nothing is stored"""


class SeriesBatchAnswerResult(Model):
    index: int
    """Place of the point in the request, from 0"""
    status: Literal["ok", "out_of_domain"] | str
    """ok, or why the point has no value"""
    retryable: bool | None = None
    """The point could not be checked in time: ask again"""
    series: SeriesBatchAnswerResultSeries | None = None
    """Values over time"""


class SeriesBatchAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class SeriesBatchAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[SeriesBatchAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class SeriesBatchAnswer(Model):
    results: list[SeriesBatchAnswerResult]
    """One for each point, in the order of the request"""
    units: dict[str, str]
    """System of units; in an answer the unit of each variable"""
    meta: SeriesBatchAnswerMeta
    """Metadata of the answer"""


class CatalogAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class CatalogAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[CatalogAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class CatalogAnswer(Model):
    products: list[Product]
    """Datasets"""
    meta: CatalogAnswerMeta
    """Metadata of the answer"""


class ProductAnswerCoverage(Model):
    domain: str
    """conus, alaska, hawaii; empty where the dataset is one piece"""
    bbox: list[float]
    """west, south, east, north"""
    native_km: float
    """Grid spacing of the source; km"""


class ProductAnswerVariableUnits(Model):
    """Units of the variable in answers"""

    imperial: str
    """Unit with units=imperial"""
    metric: str
    """Unit with units=metric"""


class ProductAnswerVariable(Model):
    name: str
    """Name of the variable in requests and answers"""
    unit: str
    """Unit of the stored values"""
    units: ProductAnswerVariableUnits | None = None
    """Units of the variable in answers"""
    standard_name: str | None
    """Standard name in the CF conventions; null if there is none"""
    description: str
    """What it is, in words"""
    kind: str
    """Whether a value is for an instant, or for the interval that ends at its time"""


class ProductAnswerServed(Model):
    domain: str
    """conus, alaska, hawaii; empty where the dataset is one piece"""
    run: datetime
    """Reference time of the run"""
    published_at: datetime
    """When it was published"""
    age_seconds: int
    """Age since reference_time; null where nothing is there; s"""
    stale: bool
    """Whether the run is older than stale_after_seconds"""


class ProductAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class ProductAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[ProductAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class ProductAnswer(Model):
    product_id: str
    """Id of the dataset in /v1/catalog"""
    source: str
    """Source of the values"""
    title: str
    """Title of the dataset"""
    description: str
    """What it is, in words"""
    kind: Literal["grid", "frame", "station", "event", "text", "climatology"] | str
    """Kind of the dataset"""
    provider: str
    """Producer of the dataset"""
    attribution: str
    """Whom to name as the source"""
    cadence_seconds: float
    """Time between runs; s"""
    latency_seconds: float
    """Usual time from reference time to publication; s"""
    stale_after_seconds: float
    """Age at which the dataset counts as late; s"""
    h3_resolution: int | None
    """H3 resolution of the stored cells; null if the dataset is not stored by cell; H3 resolution"""
    coverage: list[ProductAnswerCoverage]
    """Domains of the dataset"""
    variables: list[ProductAnswerVariable]
    """Variables of the dataset"""
    served: list[ProductAnswerServed]
    """Runs that answers use now"""
    meta: ProductAnswerMeta
    """Metadata of the answer"""


class AlertsAnswerAlert(Model):
    id: str
    """Id of the NWS message"""
    event: str
    """Name of the event"""
    severity: str
    """Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown"""
    urgency: str
    """Urgency by CAP: Immediate, Expected, Future, Past, Unknown"""
    certainty: str
    """Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown"""
    headline: str
    """Headline of the message"""
    sender: str
    """Issuing office"""
    status: Literal["Actual", "Exercise", "Test"] | str
    """Actual, or a message that is no warning: Exercise, Test"""
    onset: datetime
    """Begin of the event"""
    ends: datetime
    """End of the event"""
    effective: datetime
    """Begin of the message"""
    expires: datetime
    """End of the message"""
    expiration: datetime
    """When it is over whatever else comes: ends, else expires"""
    area_desc: str | None = None
    """Areas in words"""
    highlights: dict[str, str] | None = None
    """Chosen parameters of the message, such as the hail size, by name"""
    office: str | None
    """Forecast office"""
    areas: list[str]
    """UGC codes of its area"""
    description: str | None = None
    """Text of the alert; only with id, with alert_detail=full and in GeoJSON"""
    instruction: str | None = None
    """What to do"""


class AlertsAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class AlertsAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[AlertsAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class AlertsAnswer(Model):
    alerts: list[AlertsAnswerAlert]
    """Active alerts of the National Weather Service, the most severe first"""
    meta: AlertsAnswerMeta
    """Metadata of the answer"""


class ObservationsAnswerObservationLayer(Model):
    cover: str
    """Cover: FEW, SCT, BKN, OVC, VV"""
    base_ft: int | None = None
    """Base above the station; ft"""
    convective: Literal["CB", "TCU"] | str | None = None
    """Convective cloud: CB or TCU"""


class ObservationsAnswerObservation(Model):
    station_id: str
    """Id of the station"""
    name: str
    """Name"""
    state: str | None
    """Postal abbreviation of the state"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    elevation_m: float | None
    """Height above sea level; m"""
    distance_km: float | None = None
    """Distance from the point; only in requests with a point; km"""
    observed_at: datetime
    """Time of the report"""
    age_min: int
    """Age of the report; min"""
    report_type: Literal["METAR", "SPECI"] | str
    """Routine or special report"""
    corrected: bool
    """Whether the report corrects an earlier report"""
    auto: bool
    """Whether the report is fully automated"""
    raw: str
    """Text of the report"""
    flight_category: Literal["VFR", "MVFR", "IFR", "LIFR"] | str | None
    """Flight category; null if it cannot be determined"""
    temperature: float | None
    """Air temperature 2 m above the ground; °F or °C by units.temperature"""
    dew_point: float | None
    """Dew point 2 m above the ground; °F or °C by units.temperature"""
    wind_speed: float | None
    """Wind 10 m above the ground; mph or km/h by units.wind_speed"""
    wind_gust: float | None
    """Gusts 10 m above the ground; mph or km/h by units.wind_speed"""
    wind_direction: int | None
    """Direction from which the wind blows, 360 for north; null if calm or variable; degrees from north through east"""
    visibility: float | None
    """Visibility at the ground; null where no source has it; mi or km by units.visibility"""
    pressure: float | None
    """Altimeter setting; inHg or hPa by units.pressure"""
    ceiling_ft: int | None = None
    """Lowest broken or overcast layer above the station; ft"""
    layers: list[ObservationsAnswerObservationLayer] | None = None
    """Layers of clouds, the lowest first"""
    weather: list[str]
    """Groups of present weather as reported"""


class ObservationsAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class ObservationsAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[ObservationsAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class ObservationsAnswer(Model):
    observations: list[ObservationsAnswerObservation]
    """Reports, newest first for each station"""
    units: dict[str, str]
    """Unit of each quantity of the answer"""
    meta: ObservationsAnswerMeta
    """Metadata of the answer"""


class SkillAnswerFigureScoresValue(Model):
    estimate: float
    """Score over all pairs; °F or in"""
    lower: float | None
    """Lower end of the 95 % interval; null with fewer than five days; °F or in"""
    upper: float | None
    """Upper end of the 95 % interval; null with fewer than five days; °F or in"""


class SkillAnswerFigureReliability(Model):
    from_percent: float
    """Lowest probability of the bin; percent"""
    to_percent: float
    """Lowest probability of the next bin; percent"""
    pairs: int
    """Pairs with a probability in the bin"""
    forecast_percent: float | None
    """Mean forecast probability; null below 30 pairs; percent"""
    observed_percent: float | None
    """Share of hours that were wet; null below 30 pairs; percent"""


class SkillAnswerFigure(Model):
    source: Literal["blend", "nbm", "hrrr", "gfs", "persistence", "rtma"] | str
    """Source of the values"""
    lead_hours: int
    """Hours from issue to valid time; for high and low, from 06:00 local time to 06:00 of the day; 0: the analysis; h"""
    pairs: int
    """Pairs of a forecast and a report"""
    days: int
    """Days with a pair"""
    scores: dict[str, SkillAnswerFigureScoresValue]
    """Scores by name"""
    reliability: list[SkillAnswerFigureReliability] | None = None
    """Ten bins of the probability of 0.01 inch or more in an hour"""


class SkillAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[dict[str, Any]]
    """Warnings about missing, late or assumed data"""


class SkillAnswer(Model):
    variable: Literal["temperature", "dew_point", "wind_speed", "wind_gust", "sky", "flight_category", "precip_probability", "high", "low"] | str
    """Variable that is scored"""
    unit: str | None
    """Unit of bias, mae and rmse; null where they have none"""
    scored_area: str
    """US, a state, a forecast office, a station, or the requested box"""
    first_day: date
    """First day, UTC"""
    last_day: date
    """Last day, UTC"""
    figures: list[SkillAnswerFigure]
    """Scores of each source and lead with at least 30 pairs"""
    figures_left_out: int
    """Number of requested sources and leads with fewer than 30 pairs"""
    why_empty: str | None
    """Why there are no scores; null if there are some"""
    meta: SkillAnswerMeta
    """Metadata of the answer"""


class StormTracksAnswerFeatureGeometry(Model):
    """GeoJSON geometry"""

    type: Literal["Polygon"] | str
    """Type of the GeoJSON object"""
    coordinates: list[list[list[float]]]
    """Positions in the order of GeoJSON: longitude, latitude"""


class StormTracksAnswerFeaturePropertiesForecast(Model):
    minutes: int
    """Minutes from the scan; min"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""


class StormTracksAnswerFeatureProperties(Model):
    """Properties of the feature"""

    id: str
    """Id of the station, radar, office or zone"""
    valid_time: datetime
    """Valid time of the values"""
    source: str
    """probsevere, or nexrad_ and the radar that detected the cell"""
    speed: float | None
    """Speed in m/s; null for a cell in only one scan; m/s"""
    direction: int | None
    """Direction of motion, degrees clockwise from north; null if the storm is stationary; degrees from north through east"""
    severe_probability: float | None
    """Severe weather within an hour; percent"""
    hail_probability: float | None
    """Severe hail within an hour; percent"""
    wind_probability: float | None
    """Severe wind within an hour; percent"""
    tornado_probability: float | None
    """Tornado within an hour; percent"""
    max_reflectivity_dbz: float | None
    """Largest reflectivity of a radar cell; dBZ"""
    mesocyclone_strength: float | None
    """Strength rank of a circulation in the cell, 1 to 25; rank"""
    tornado_signature: Literal["TVS", "ETVS"] | str | None
    """Tornadic vortex signature; ETVS does not reach the lowest beam"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    forecast: list[StormTracksAnswerFeaturePropertiesForecast]
    """Forecast positions"""


class StormTracksAnswerFeature(Model):
    type: Literal["Feature"] | str
    """Type of the GeoJSON object"""
    id: str
    """Id of the feature"""
    geometry: StormTracksAnswerFeatureGeometry
    """GeoJSON geometry"""
    properties: StormTracksAnswerFeatureProperties
    """Properties of the feature"""


class StormTracksAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class StormTracksAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[StormTracksAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""
    valid_time: datetime | None
    """Valid time of the values"""


class StormTracksAnswer(Model):
    type: Literal["FeatureCollection"] | str
    """Type of the GeoJSON object"""
    features: list[StormTracksAnswerFeature]
    """GeoJSON features"""
    meta: StormTracksAnswerMeta
    """Metadata of the answer"""


class ClimateReportsAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class ClimateReportsAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[ClimateReportsAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class ClimateReportsAnswer(Model):
    reports: list[ClimateReport]
    """Daily climate reports"""
    meta: ClimateReportsAnswerMeta
    """Metadata of the answer"""


class ClimateRecordsAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class ClimateRecordsAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[ClimateRecordsAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class ClimateRecordsAnswer(Model):
    records: list[ClimateRecord]
    """Reports of records"""
    meta: ClimateRecordsAnswerMeta
    """Metadata of the answer"""


class RadarSiteAnswerSite(Model):
    """The radar"""

    id: str
    """Id of the station, radar, office or zone"""
    icao: str
    """ICAO code"""
    name: str
    """Name"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""


class RadarSiteAnswerAt(Model):
    """The value at the requested point"""

    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    coverage: Literal["value", "dry", "no_coverage"] | str
    """value, dry, or no_coverage: beyond the range of the radar, or a range-folded echo"""
    value: float | None
    """Value of the product at the point, in `unit`; null without a value; °F or in"""
    word: str | None = None
    """The class in a word, where the product has classes"""


class RadarSiteAnswerLegend(Model):
    from_: float = Field(alias="from")
    """Least value of the colour; dBZ"""
    colour: str
    """Colour"""
    word: str | None = None
    """The class in a word, where the product has classes"""


class RadarSiteAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class RadarSiteAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[RadarSiteAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class RadarSiteAnswer(Model):
    site: RadarSiteAnswerSite
    """The radar"""
    product: str
    """Mnemonic of the product"""
    name: str
    """Name"""
    title: str
    """Title of the dataset"""
    unit: str
    """Unit of bias, mae and rmse; null where they have none"""
    valid_time: datetime
    """Valid time of the values"""
    stale: bool
    """Whether the scan is older than 20 minutes"""
    elevation_angle: float | None
    """Elevation of the beam above the horizon; degrees"""
    coverage_pattern: int
    """Volume coverage pattern of the radar"""
    bbox: list[float]
    """west, south, east, north"""
    image: str
    """Path of the picture"""
    at: RadarSiteAnswerAt | None = None
    """The value at the requested point"""
    legend: list[RadarSiteAnswerLegend]
    """Legend of the picture"""
    meta: RadarSiteAnswerMeta
    """Metadata of the answer"""


class RadarTimesAnswerLegend(Model):
    from_: float = Field(alias="from")
    """Least value of the colour; dBZ"""
    colour: str
    """Colour"""


class RadarTimesAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class RadarTimesAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[RadarTimesAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class RadarTimesAnswer(Model):
    product_id: str
    """Id of the dataset in /v1/catalog"""
    title: str
    """Title of the product"""
    unit: str
    """Unit of the values"""
    times: list[datetime]
    """Available times of scans"""
    nowcast_times: list[datetime]
    """Available times of the nowcast"""
    legend: list[RadarTimesAnswerLegend]
    """Legend of the picture"""
    meta: RadarTimesAnswerMeta
    """Metadata of the answer"""


class RadarTileJsonAnswer(Model):
    tilejson: Literal["3.0.0"] | str
    """Version of TileJSON"""
    name: str
    """Name of the layer"""
    attribution: str
    """Whom to name as the source"""
    scheme: Literal["xyz"] | str
    """Scheme of tile addresses; rows count from the north"""
    tiles: list[str]
    """Template of the addresses of tiles"""
    minzoom: int
    """Least zoom; zoom"""
    maxzoom: int
    """Greatest zoom; zoom"""
    bounds: list[float]
    """west, south, east, north"""


class GeocodeAnswerPlace(Model):
    kind: Literal["place", "zip", "coordinates", "feature"] | str
    """Kind of the match"""
    feature: str | None = None
    """Kind of a feature: airport, county, park, forest, summit, lake, military, tribal, university, stadium, …"""
    name: str
    """Name"""
    region: str
    """Postal abbreviation of the state"""
    country: Literal["US"] | str
    """Country by ISO 3166-1 alpha-2"""
    county: str | None = None
    """County of the point"""
    zip: str | None = None
    """US ZIP code"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    timezone: str | None = None
    """Time zone by its IANA name"""
    population: int | None
    """People who live there"""


class GeocodeAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class GeocodeAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[GeocodeAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class GeocodeAnswer(Model):
    places: list[GeocodeAnswerPlace]
    """Places, the most likely first"""
    meta: GeocodeAnswerMeta
    """Metadata of the answer"""


class ReverseGeocodeAnswerLocation(Model):
    """The place of the answer"""

    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    name: str
    """Name"""
    region: str
    """Postal abbreviation of the state"""
    country: str
    """Country by ISO 3166-1 alpha-2"""
    timezone: str
    """Time zone by its IANA name"""
    county: str | None = None
    """County of the point"""
    zip: str | None = None
    """US ZIP code"""


class ReverseGeocodeAnswerGisNearestRadar(Model):
    """Nearest radar"""

    id: str
    """Id of the station, radar, office or zone"""
    name: str
    """Name"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    distance_km: float
    """Distance from the point; km"""


class ReverseGeocodeAnswerGisNearestStation(Model):
    """Nearest station"""

    id: str
    """Id of the station, radar, office or zone"""
    name: str
    """Name"""
    state: str
    """Postal abbreviation of the state"""
    elevation_m: float | None
    """Height above sea level; m"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    distance_km: float
    """Distance from the point; km"""


class ReverseGeocodeAnswerGis(Model):
    """Surroundings of the point"""

    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    timezone: str
    """Time zone by its IANA name"""
    city: str | None = None
    """City that the point lies in"""
    nearest_city: str | None = None
    """Nearest city"""
    state: str | None = None
    """Postal abbreviation of the state"""
    county: str | None = None
    """County of the point"""
    country: str | None = None
    """Country by ISO 3166-1 alpha-2"""
    population: int | None
    """People who live there"""
    nearest_radar: ReverseGeocodeAnswerGisNearestRadar
    """Nearest radar"""
    nearest_station: ReverseGeocodeAnswerGisNearestStation
    """Nearest station"""


class ReverseGeocodeAnswerZones(Model):
    """Zones of the point"""

    office: str | None = None
    """Forecast office"""
    county: str | None = None
    """Code of the county"""
    fire: str | None = None
    """Code of the fire weather zone"""
    forecast: str | None = None
    """Code of the forecast zone"""
    marine: str | None = None
    """Code of the marine zone"""


class ReverseGeocodeAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class ReverseGeocodeAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[ReverseGeocodeAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class ReverseGeocodeAnswer(Model):
    location: ReverseGeocodeAnswerLocation
    """The place of the answer"""
    gis: ReverseGeocodeAnswerGis
    """Surroundings of the point"""
    zones: ReverseGeocodeAnswerZones
    """Zones of the point"""
    meta: ReverseGeocodeAnswerMeta
    """Metadata of the answer"""


class StationsAnswerStation(Model):
    id: str
    """Id of the station, radar, office or zone"""
    name: str
    """Name"""
    state: str
    """Postal abbreviation of the state"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    elevation_m: float | None
    """Height above sea level; m"""
    distance_km: float | None = None
    """Distance from the point; km"""


class StationsAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class StationsAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[StationsAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class StationsAnswer(Model):
    stations: list[StationsAnswerStation]
    """Stations, the nearest first"""
    total: int
    """Number of all that match, also beyond limit"""
    meta: StationsAnswerMeta
    """Metadata of the answer"""


class RadarsAnswerRadar(Model):
    id: str
    """Id of the station, radar, office or zone"""
    icao: str
    """ICAO code"""
    name: str
    """Name"""
    state: str
    """Postal abbreviation of the state"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""
    elevation_m: float
    """Height above sea level; m"""
    distance_km: float | None = None
    """Distance from the point; km"""


class RadarsAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class RadarsAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[RadarsAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class RadarsAnswer(Model):
    radars: list[RadarsAnswerRadar]
    """Radars, the nearest first"""
    total: int
    """Number of all that match, also beyond limit"""
    meta: RadarsAnswerMeta
    """Metadata of the answer"""


class OfficesAnswerOffice(Model):
    id: str
    """Id of the station, radar, office or zone"""
    name: str
    """Name"""
    state: str
    """Postal abbreviation of the state"""
    lat: float
    """Latitude, north is positive; degrees"""
    lon: float
    """Longitude, west is negative; degrees"""


class OfficesAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class OfficesAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[OfficesAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class OfficesAnswer(Model):
    offices: list[OfficesAnswerOffice]
    """Forecast offices"""
    total: int
    """Number of all that match, also beyond limit"""
    meta: OfficesAnswerMeta
    """Metadata of the answer"""


class ZonesAnswerZone(Model):
    id: str
    """Id of the station, radar, office or zone"""
    kind: Literal["county", "forecast", "fire", "marine"] | str
    """Kind of the zone"""
    name: str
    """Name"""
    state: str
    """Postal abbreviation of the state"""
    office: str
    """Forecast office"""


class ZonesAnswerMetaWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class ZonesAnswerMeta(Model):
    """Metadata of the answer"""

    schema_version: str
    """Version of the schema"""
    generated_at: datetime
    """When the answer was made"""
    attribution: str | None = None
    """Whom to name as the source"""
    warnings: list[ZonesAnswerMetaWarning] | None = None
    """Warnings about missing, late or assumed data"""


class ZonesAnswer(Model):
    zones: list[ZonesAnswerZone]
    """Zones"""
    total: int
    """Number of all that match, also beyond limit"""
    meta: ZonesAnswerMeta
    """Metadata of the answer"""


class CreateWebhookAnswerWarning(Model):
    code: str
    """Stable code; new ones may be added"""
    section: str
    """Section that it is about"""
    detail: str | None = None
    """Explanation of the warning"""
    product_id: str | None = None
    """Id of the dataset in /v1/catalog"""


class CreateWebhookAnswer(Model):
    id: str
    """Id of the webhook"""
    url: str
    """URL of the receiver: https with a public host name"""
    events: list[str]
    """Types of events"""
    filter: WebhookFilter
    """Conditions on events"""
    description: str
    """Purpose of the webhook"""
    enabled: bool
    """Whether calls are sent; false while paused, and after the receiver answered 410"""
    created_at: datetime
    """When it was made"""
    waiting: int
    """Number of waiting calls"""
    failing_since: datetime | None
    """When the receiver began to fail (no answer, 5xx, 408, 429, redirects); null while it works"""
    next_attempt_at: datetime | None
    """Time of the next call to a failing receiver; null while it works"""
    warnings: list[CreateWebhookAnswerWarning] | None = None
    """Doubts about the filter of the request: unknown_event"""
    secret: str
    """Secret that signs every call; it is shown only once"""


class WebhooksAnswer(Model):
    webhooks: list[Webhook]
    """Webhooks of the key"""


class WebhookTestAnswer(Model):
    delivery_id: str
    """Id of a call"""


class WebhookDeliveriesAnswer(Model):
    deliveries: list[WebhookDelivery]
    """Calls, the newest first"""


class WebhookReplayAnswer(Model):
    replayed: int
    """Number of calls that are due again"""
