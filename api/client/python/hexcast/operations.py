# Written by npm run generate from openapi.json; do not edit.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from .base import segment
from .models import (
    AlertsAnswer,
    CatalogAnswer,
    ClimateRecordsAnswer,
    ClimateReportsAnswer,
    CreateWebhookAnswer,
    GeocodeAnswer,
    ObservationsAnswer,
    OfficesAnswer,
    PointAnswer,
    ProductAnswer,
    RadarSiteAnswer,
    RadarTileJsonAnswer,
    RadarTimesAnswer,
    RadarsAnswer,
    ReverseGeocodeAnswer,
    SeriesBatchAnswer,
    SkillAnswer,
    StationsAnswer,
    StatusAnswer,
    StormTracksAnswer,
    Weather,
    WeatherBatchAnswer,
    Webhook,
    WebhookDeliveriesAnswer,
    WebhookReplayAnswer,
    WebhookTestAnswer,
    WebhooksAnswer,
    ZonesAnswer,
)

T = TypeVar("T")


class Operations:
    """Every operation under /v1 with a JSON answer."""

    def _call(self, method: str, path: str, answer: type[T] | None, query: dict | None, body: dict | None) -> T:
        raise NotImplementedError

    def status(
        self,
    ) -> StatusAnswer:
        """State of every dataset: served, expected and late runs."""
        return self._call("GET", "/v1/status", StatusAnswer, None, None)

    def weather(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        units: str | None = None,
        include: str | None = None,
        view: str | None = None,
        alert_detail: str | None = None,
        days: int | None = None,
        hourly_hours: int | None = None,
        hourly_step: int | None = None,
        hourly_step_from: int | None = None,
        past_hours: int | None = None,
        as_of: datetime | str | None = None,
    ) -> Weather:
        """All weather information for one point.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param units: System of units
        :param include: Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty, provenance
        :param view: detailed: every column of hourly and daily; concise: a subset
        :param alert_detail: full: alerts with description, instruction and geometry; concise: alerts with a link to these
        :param days: Number of daily rows; a row for the current night (relative_day -1) is not counted
        :param hourly_hours: Horizon of the hourly rows in hours, before hourly_step drops rows
        :param hourly_step: Keep every Nth hourly row
        :param hourly_step_from: Row from which hourly_step applies; all rows before it stay
        :param past_hours: Hourly rows before the running hour, from analyses and measured amounts; the last of them is the hour that ended last. hourly_step keeps every Nth of them, counted back from the running hour
        :param as_of: Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
        """
        return self._call("GET", "/v1/weather", Weather, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "units": units, "include": include, "view": view, "alert_detail": alert_detail, "days": days, "hourly_hours": hourly_hours, "hourly_step": hourly_step, "hourly_step_from": hourly_step_from, "past_hours": past_hours, "as_of": as_of}, None)

    def weather_batch(
        self,
        *,
        points: Sequence[Any],
        units: str | None = None,
        include: str | None = None,
        view: str | None = None,
        alert_detail: str | None = None,
        days: int | None = None,
        hourly_hours: int | None = None,
        hourly_step: int | None = None,
        hourly_step_from: int | None = None,
        past_hours: int | None = None,
        as_of: datetime | str | None = None,
    ) -> WeatherBatchAnswer:
        """Weather at up to 50 points, each with its own answer or failure.

        :param points: Points in degrees, at most 50
        :param units: System of units
        :param include: Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty, provenance
        :param view: detailed: every column of hourly and daily; concise: a subset
        :param alert_detail: full: alerts with description, instruction and geometry; concise: alerts with a link to these
        :param days: Number of daily rows; a row for the current night (relative_day -1) is not counted
        :param hourly_hours: Horizon of the hourly rows in hours, before hourly_step drops rows
        :param hourly_step: Keep every Nth hourly row
        :param hourly_step_from: Row from which hourly_step applies; all rows before it stay
        :param past_hours: Hourly rows before the running hour, from analyses and measured amounts; the last of them is the hour that ended last. hourly_step keeps every Nth of them, counted back from the running hour
        :param as_of: Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
        """
        return self._call("POST", "/v1/weather/batch", WeatherBatchAnswer, None, {"points": points, "units": units, "include": include, "view": view, "alert_detail": alert_detail, "days": days, "hourly_hours": hourly_hours, "hourly_step": hourly_step, "hourly_step_from": hourly_step_from, "past_hours": past_hours, "as_of": as_of})

    def point(
        self,
        *,
        points: Sequence[Any],
        variables: str,
        dataset_id: str | None = None,
        run: datetime | str | None = None,
        as_of: datetime | str | None = None,
        units: str | None = None,
        time: datetime | str | None = None,
        start: datetime | str | None = None,
        end: datetime | str | None = None,
        include: str | None = None,
    ) -> PointAnswer:
        """Values of variables at up to 500 points, at one time or over a period.

        :param points: Points in degrees, at most 500
        :param variables: Names of variables, separated by commas: the field names of hourly rows
        :param dataset_id: A dataset of /v1/catalog by itself; default: the published hourly forecast
        :param run: Reference time of a run that is still stored, with dataset_id; default: the newest run
        :param as_of: Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
        :param units: System of units
        :param time: Instant, which may be in the past if values are stored; default: now
        :param start: First time of a period, which may be in the past: the published forecast then has analyses (URMA, else RTMA) and measured amounts, a dataset the runs that were served then; default: the current hour
        :param end: Last time of the period, at most 264 hours after start; default: 47 hours after start
        :param include: provenance: also the file, byte range and digest of each value of a run, with dataset_id and at most 10 points; JSON only
        """
        return self._call("POST", "/v1/point", PointAnswer, None, {"points": points, "variables": variables, "dataset_id": dataset_id, "run": run, "as_of": as_of, "units": units, "time": time, "start": start, "end": end, "include": include})

    def series_batch(
        self,
        *,
        points: Sequence[Any],
        variables: str,
        dataset_id: str | None = None,
        run: datetime | str | None = None,
        as_of: datetime | str | None = None,
        units: str | None = None,
        hours: int | None = None,
        start: datetime | str | None = None,
        end: datetime | str | None = None,
    ) -> SeriesBatchAnswer:
        """Time series of variables at up to 100 points.

        :param points: Points in degrees, at most 100
        :param variables: Names of variables, separated by commas: the field names of hourly rows
        :param dataset_id: A dataset of /v1/catalog by itself; default: the published hourly forecast
        :param run: Reference time of a run that is still stored, with dataset_id; default: the newest run
        :param as_of: Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
        :param units: System of units
        :param hours: Hours from the current one
        :param start: First time of a period, which may be in the past: the published forecast then has analyses (URMA, else RTMA) and measured amounts, a dataset the runs that were served then; default: the current hour
        :param end: Last time of the period, at most 264 hours after start; default: 47 hours after start
        """
        return self._call("POST", "/v1/series/batch", SeriesBatchAnswer, None, {"points": points, "variables": variables, "dataset_id": dataset_id, "run": run, "as_of": as_of, "units": units, "hours": hours, "start": start, "end": end})

    def catalog(
        self,
    ) -> CatalogAnswer:
        """Every product and its served runs."""
        return self._call("GET", "/v1/catalog", CatalogAnswer, None, None)

    def product(
        self,
        product_id: str,
    ) -> ProductAnswer:
        """One product.

        :param product_id: An id of /v1/catalog
        """
        return self._call("GET", f"/v1/catalog/{segment(product_id)}", ProductAnswer, None, None)

    def alerts(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        bbox: str | None = None,
        area: str | None = None,
        zone: str | None = None,
        office: str | None = None,
        id: str | None = None,
        event: str | None = None,
        severity: str | None = None,
        urgency: str | None = None,
        certainty: str | None = None,
        status: str | None = None,
        alert_detail: str | None = None,
    ) -> AlertsAnswer:
        """Active NWS alerts at a point, in a box, in a state or zone, of an office, or one alert by id.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param bbox: west,south,east,north in degrees
        :param area: State, or the two letters of marine zones: CO, GM
        :param zone: Zone or county: COZ040, COC031
        :param office: Forecast office: BOU or KBOU
        :param id: Id of one alert, for its full detail
        :param event: Names of events in any case, separated by commas: Tornado Warning,Flood Watch. A misspelled name is rejected with the nearest name; a name in no list gives the warning unknown_event
        :param severity: Severities, separated by commas
        :param urgency: Urgencies, separated by commas
        :param certainty: Certainties, separated by commas
        :param status: Actual (default), Exercise, Test
        :param alert_detail: full: alerts with description, instruction and geometry; concise: alerts with a link to these
        """
        return self._call("GET", "/v1/alerts", AlertsAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "bbox": bbox, "area": area, "zone": zone, "office": office, "id": id, "event": event, "severity": severity, "urgency": urgency, "certainty": certainty, "status": status, "alert_detail": alert_detail}, None)

    def observations(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        bbox: str | None = None,
        station: str | None = None,
        hours: int | None = None,
        units: str | None = None,
        limit: int | None = None,
    ) -> ObservationsAnswer:
        """METARs in a box, of the station nearest to a point, or of one station.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param bbox: west,south,east,north in degrees
        :param station: One station: KDEN, or its FAA or IATA code DEN
        :param hours: Every report of the past hours, 1 to 72; default: the newest report of each station, at most 3 hours old
        :param units: Units
        :param limit: Largest number of items, 1 to 2000
        """
        return self._call("GET", "/v1/observations", ObservationsAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "bbox": bbox, "station": station, "hours": hours, "units": units, "limit": limit}, None)

    def skill(
        self,
        *,
        variable: str | None = None,
        state: str | None = None,
        office: str | None = None,
        station: str | None = None,
        bbox: str | None = None,
        days: int | None = None,
        lead: Any | None = None,
        source: str | None = None,
        units: str | None = None,
        domain: str | None = None,
        lead_minutes: float | None = None,
    ) -> SkillAnswer:
        """Scores of forecasts against station reports and radar.

        :param variable: Variable that is scored; nowcast compares nowcasts with the radar that followed
        :param state: Postal abbreviation of a state
        :param office: Forecast office
        :param station: One station
        :param bbox: west,south,east,north in degrees
        :param days: Days before today (UTC), 1 to 400
        :param lead: One lead in hours; 0 is the analysis
        :param source: One source; blend is the published forecast
        :param units: Units
        :param domain: One domain: of radar for a nowcast, otherwise of the states in it
        :param lead_minutes: One lead of a nowcast in minutes
        """
        return self._call("GET", "/v1/skill", SkillAnswer, {"variable": variable, "state": state, "office": office, "station": station, "bbox": bbox, "days": days, "lead": lead, "source": source, "units": units, "domain": domain, "lead_minutes": lead_minutes}, None)

    def storm_tracks(
        self,
        *,
        bbox: str | None = None,
        site: str | None = None,
    ) -> StormTracksAnswer:
        """Storms with their motion, as GeoJSON.

        :param bbox: west,south,east,north in degrees
        :param site: Storms within 230 km of this radar: FTG or KFTG
        """
        return self._call("GET", "/v1/storm-tracks", StormTracksAnswer, {"bbox": bbox, "site": site}, None)

    def climate_reports(
        self,
        *,
        wfo: str | None = None,
        date: str | None = None,
        start: str | None = None,
        end: str | None = None,
        hours: int | None = None,
        limit: int | None = None,
        station: str | None = None,
    ) -> ClimateReportsAnswer:
        """Daily climate reports (CLI).

        :param wfo: Issuing office: BOX or KBOX
        :param date: Local date
        :param start: First local date, with end
        :param end: Last local date, with start; at most 366 days
        :param hours: Reports that were issued in this many last hours; default without dates: 48
        :param limit: Largest number of items, 1 to 500
        :param station: Station by AWIPS or ICAO code: BOS or KBOS
        """
        return self._call("GET", "/v1/climate/reports", ClimateReportsAnswer, {"wfo": wfo, "date": date, "start": start, "end": end, "hours": hours, "limit": limit, "station": station}, None)

    def climate_records(
        self,
        *,
        wfo: str | None = None,
        date: str | None = None,
        start: str | None = None,
        end: str | None = None,
        hours: int | None = None,
        limit: int | None = None,
        record_type: str | None = None,
    ) -> ClimateRecordsAnswer:
        """Record event reports (RER).

        :param wfo: Issuing office: BOX or KBOX
        :param date: Local date
        :param start: First local date, with end
        :param end: Last local date, with start; at most 366 days
        :param hours: Reports that were issued in this many last hours; default without dates: 48
        :param limit: Largest number of items, 1 to 500
        :param record_type: One of HIGH, LOW, HIGH_MIN, LOW_MAX, RAIN, SNOW, OTHER
        """
        return self._call("GET", "/v1/climate/records", ClimateRecordsAnswer, {"wfo": wfo, "date": date, "start": start, "end": end, "hours": hours, "limit": limit, "record_type": record_type}, None)

    def radar_site(
        self,
        id: str,
        product: str,
        *,
        lat: float | None = None,
        lon: float | None = None,
    ) -> RadarSiteAnswer:
        """The newest scan of one radar, with its extent and legend, and its value at a point.

        :param id: A radar: FTG or KFTG; see /v1/radars
        :param product: N0B or reflectivity, N0G or velocity, N0S or storm_relative_velocity, N0H or hydrometeor_class
        :param lat: Latitude of a point, for its value; degrees
        :param lon: Longitude of a point, for its value; degrees
        """
        return self._call("GET", f"/v1/radar/site/{segment(id)}/{segment(product)}", RadarSiteAnswer, {"lat": lat, "lon": lon}, None)

    def radar_times(
        self,
        product: str,
    ) -> RadarTimesAnswer:
        """Available times of the images of a radar product, and its legend.

        :param product: A radar product of /v1/catalog
        """
        return self._call("GET", f"/v1/radar/{segment(product)}", RadarTimesAnswer, None, None)

    def radar_tile_json(
        self,
        product: str,
        time: str,
        *,
        opacity: float | None = None,
        size: float | None = None,
    ) -> RadarTileJsonAnswer:
        """TileJSON 3.0 of a radar product: addresses, zooms and bounds of its tiles.

        :param product: A radar product of /v1/catalog
        :param time: latest, or an instant as in /v1/radar/{product}.png
        :param opacity: Opacity of the picture, 0 to 1
        :param size: Pixels of a side: 256 or 512
        """
        return self._call("GET", f"/v1/radar/{segment(product)}/{segment(time)}/tiles.json", RadarTileJsonAnswer, {"opacity": opacity, "size": size}, None)

    def geocode(
        self,
        *,
        q: str,
        limit: int | None = None,
        near: str | None = None,
    ) -> GeocodeAnswer:
        """Find places by name, ZIP code or coordinates, the most populous first.

        :param q: City, airport (name, ICAO or IATA code), county, park, summit, lake, university, …, with or without its state; ZIP code; or lat,lon. Case and accents are ignored, and the beginning of a name is enough
        :param limit: Largest number of items, 1 to 50
        :param near: lat,lon: among places with the same name, nearer places are preferred
        """
        return self._call("GET", "/v1/geocode", GeocodeAnswer, {"q": q, "limit": limit, "near": near}, None)

    def reverse_geocode(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
    ) -> ReverseGeocodeAnswer:
        """Name of a point, and the places, stations and zones around it.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        """
        return self._call("GET", "/v1/reverse-geocode", ReverseGeocodeAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near}, None)

    def stations(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        bbox: str | None = None,
        state: str | None = None,
        id: str | None = None,
        radius_km: float | None = None,
        limit: int | None = None,
    ) -> StationsAnswer:
        """METAR stations near a point, in a box or a state.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param bbox: west,south,east,north in degrees
        :param state: Postal abbreviation of a state
        :param id: One site: KDEN, KFTG or FTG
        :param radius_km: Only sites within this many kilometres
        :param limit: Largest number of items, 1 to 500
        """
        return self._call("GET", "/v1/stations", StationsAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "bbox": bbox, "state": state, "id": id, "radius_km": radius_km, "limit": limit}, None)

    def radars(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        bbox: str | None = None,
        state: str | None = None,
        id: str | None = None,
        radius_km: float | None = None,
        limit: int | None = None,
    ) -> RadarsAnswer:
        """WSR-88D radars near a point, in a box or a state.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param bbox: west,south,east,north in degrees
        :param state: Postal abbreviation of a state
        :param id: One site: KDEN, KFTG or FTG
        :param radius_km: Only sites within this many kilometres
        :param limit: Largest number of items, 1 to 500
        """
        return self._call("GET", "/v1/radars", RadarsAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "bbox": bbox, "state": state, "id": id, "radius_km": radius_km, "limit": limit}, None)

    def offices(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        state: str | None = None,
        id: str | None = None,
    ) -> OfficesAnswer:
        """Forecast offices at a point, in a state, or all.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param state: Postal abbreviation of a state
        :param id: Forecast office: BOU or KBOU
        """
        return self._call("GET", "/v1/offices", OfficesAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "state": state, "id": id}, None)

    def zones(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        state: str | None = None,
        office: str | None = None,
        kind: str | None = None,
        id: str | None = None,
        limit: int | None = None,
    ) -> ZonesAnswer:
        """NWS zones at a point, in a state or of an office, as a list or as at most 50 shapes.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param state: Postal abbreviation of a state
        :param office: Forecast office: BOU or KBOU
        :param kind: Kind of zone
        :param id: Zone code: COC031, COZ040, GMZ630
        :param limit: Largest number of items, 1 to 1000
        """
        return self._call("GET", "/v1/zones", ZonesAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "state": state, "office": office, "kind": kind, "id": id, "limit": limit}, None)

    def create_webhook(
        self,
        *,
        url: str,
        events: Sequence[Any],
        filter: Any | None = None,
        description: str | None = None,
    ) -> CreateWebhookAnswer:
        """Create a webhook, which is called when something changes.

        :param url: URL of the receiver: https with a public host name
        :param events: Types of events
        :param filter: Conditions on events
        :param description: Purpose of the webhook
        """
        return self._call("POST", "/v1/webhooks", CreateWebhookAnswer, None, {"url": url, "events": events, "filter": filter, "description": description})

    def webhooks(
        self,
    ) -> WebhooksAnswer:
        """Webhooks of this key."""
        return self._call("GET", "/v1/webhooks", WebhooksAnswer, None, None)

    def webhook(
        self,
        id: str,
    ) -> Webhook:
        """One webhook.

        :param id: Id of a webhook of this key
        """
        return self._call("GET", f"/v1/webhooks/{segment(id)}", Webhook, None, None)

    def update_webhook(
        self,
        id: str,
        *,
        url: str | None = None,
        events: Sequence[Any] | None = None,
        filter: Any | None = None,
        description: str | None = None,
        enabled: bool | None = None,
    ) -> Webhook:
        """Change, pause or resume a webhook.

        :param id: Id of a webhook of this key
        :param url: URL of the receiver: https with a public host name
        :param events: Types of events
        :param filter: Conditions on events
        :param description: Purpose of the webhook
        :param enabled: Whether calls are sent; false while paused, and after the receiver answered 410
        """
        return self._call("PATCH", f"/v1/webhooks/{segment(id)}", Webhook, None, {"url": url, "events": events, "filter": filter, "description": description, "enabled": enabled})

    def delete_webhook(
        self,
        id: str,
    ) -> None:
        """Delete a webhook and its waiting calls.

        :param id: Id of a webhook of this key
        """
        return self._call("DELETE", f"/v1/webhooks/{segment(id)}", None, None, None)

    def webhook_test(
        self,
        id: str,
    ) -> WebhookTestAnswer:
        """Send a test call.

        :param id: Id of a webhook of this key
        """
        return self._call("POST", f"/v1/webhooks/{segment(id)}/test", WebhookTestAnswer, None, None)

    def webhook_deliveries(
        self,
        id: str,
        *,
        state: str | None = None,
        limit: int | None = None,
    ) -> WebhookDeliveriesAnswer:
        """Calls of a webhook, newest first, with the last status and the next attempt.

        :param id: Id of a webhook of this key
        :param state: Only calls in this state
        :param limit: Largest number of items, 1 to 1000
        """
        return self._call("GET", f"/v1/webhooks/{segment(id)}/deliveries", WebhookDeliveriesAnswer, {"state": state, "limit": limit}, None)

    def webhook_replay(
        self,
        id: str,
        *,
        delivery_id: str | None = None,
    ) -> WebhookReplayAnswer:
        """Repeat all dead calls, or one.

        :param id: Id of a webhook of this key
        :param delivery_id: Id of a call
        """
        return self._call("POST", f"/v1/webhooks/{segment(id)}/replay", WebhookReplayAnswer, None, {"delivery_id": delivery_id})

    def authorization(
        self,
    ) -> None:
        """Whether a key may make a call now."""
        return self._call("GET", "/v1/authorization", None, None, None)


class AsyncOperations:
    """Every operation under /v1 with a JSON answer."""

    async def _call(self, method: str, path: str, answer: type[T] | None, query: dict | None, body: dict | None) -> T:
        raise NotImplementedError

    async def status(
        self,
    ) -> StatusAnswer:
        """State of every dataset: served, expected and late runs."""
        return await self._call("GET", "/v1/status", StatusAnswer, None, None)

    async def weather(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        units: str | None = None,
        include: str | None = None,
        view: str | None = None,
        alert_detail: str | None = None,
        days: int | None = None,
        hourly_hours: int | None = None,
        hourly_step: int | None = None,
        hourly_step_from: int | None = None,
        past_hours: int | None = None,
        as_of: datetime | str | None = None,
    ) -> Weather:
        """All weather information for one point.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param units: System of units
        :param include: Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty, provenance
        :param view: detailed: every column of hourly and daily; concise: a subset
        :param alert_detail: full: alerts with description, instruction and geometry; concise: alerts with a link to these
        :param days: Number of daily rows; a row for the current night (relative_day -1) is not counted
        :param hourly_hours: Horizon of the hourly rows in hours, before hourly_step drops rows
        :param hourly_step: Keep every Nth hourly row
        :param hourly_step_from: Row from which hourly_step applies; all rows before it stay
        :param past_hours: Hourly rows before the running hour, from analyses and measured amounts; the last of them is the hour that ended last. hourly_step keeps every Nth of them, counted back from the running hour
        :param as_of: Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
        """
        return await self._call("GET", "/v1/weather", Weather, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "units": units, "include": include, "view": view, "alert_detail": alert_detail, "days": days, "hourly_hours": hourly_hours, "hourly_step": hourly_step, "hourly_step_from": hourly_step_from, "past_hours": past_hours, "as_of": as_of}, None)

    async def weather_batch(
        self,
        *,
        points: Sequence[Any],
        units: str | None = None,
        include: str | None = None,
        view: str | None = None,
        alert_detail: str | None = None,
        days: int | None = None,
        hourly_hours: int | None = None,
        hourly_step: int | None = None,
        hourly_step_from: int | None = None,
        past_hours: int | None = None,
        as_of: datetime | str | None = None,
    ) -> WeatherBatchAnswer:
        """Weather at up to 50 points, each with its own answer or failure.

        :param points: Points in degrees, at most 50
        :param units: System of units
        :param include: Sections, separated by commas: current, hourly, daily, alerts, outlooks, astro, narrations, guidance, discussions, nowcast, radar, climate, metar, uncertainty, provenance
        :param view: detailed: every column of hourly and daily; concise: a subset
        :param alert_detail: full: alerts with description, instruction and geometry; concise: alerts with a link to these
        :param days: Number of daily rows; a row for the current night (relative_day -1) is not counted
        :param hourly_hours: Horizon of the hourly rows in hours, before hourly_step drops rows
        :param hourly_step: Keep every Nth hourly row
        :param hourly_step_from: Row from which hourly_step applies; all rows before it stay
        :param past_hours: Hourly rows before the running hour, from analyses and measured amounts; the last of them is the hour that ended last. hourly_step keeps every Nth of them, counted back from the running hour
        :param as_of: Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
        """
        return await self._call("POST", "/v1/weather/batch", WeatherBatchAnswer, None, {"points": points, "units": units, "include": include, "view": view, "alert_detail": alert_detail, "days": days, "hourly_hours": hourly_hours, "hourly_step": hourly_step, "hourly_step_from": hourly_step_from, "past_hours": past_hours, "as_of": as_of})

    async def point(
        self,
        *,
        points: Sequence[Any],
        variables: str,
        dataset_id: str | None = None,
        run: datetime | str | None = None,
        as_of: datetime | str | None = None,
        units: str | None = None,
        time: datetime | str | None = None,
        start: datetime | str | None = None,
        end: datetime | str | None = None,
        include: str | None = None,
    ) -> PointAnswer:
        """Values of variables at up to 500 points, at one time or over a period.

        :param points: Points in degrees, at most 500
        :param variables: Names of variables, separated by commas: the field names of hourly rows
        :param dataset_id: A dataset of /v1/catalog by itself; default: the published hourly forecast
        :param run: Reference time of a run that is still stored, with dataset_id; default: the newest run
        :param as_of: Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
        :param units: System of units
        :param time: Instant, which may be in the past if values are stored; default: now
        :param start: First time of a period, which may be in the past: the published forecast then has analyses (URMA, else RTMA) and measured amounts, a dataset the runs that were served then; default: the current hour
        :param end: Last time of the period, at most 264 hours after start; default: 47 hours after start
        :param include: provenance: also the file, byte range and digest of each value of a run, with dataset_id and at most 10 points; JSON only
        """
        return await self._call("POST", "/v1/point", PointAnswer, None, {"points": points, "variables": variables, "dataset_id": dataset_id, "run": run, "as_of": as_of, "units": units, "time": time, "start": start, "end": end, "include": include})

    async def series_batch(
        self,
        *,
        points: Sequence[Any],
        variables: str,
        dataset_id: str | None = None,
        run: datetime | str | None = None,
        as_of: datetime | str | None = None,
        units: str | None = None,
        hours: int | None = None,
        start: datetime | str | None = None,
        end: datetime | str | None = None,
    ) -> SeriesBatchAnswer:
        """Time series of variables at up to 100 points.

        :param points: Points in degrees, at most 100
        :param variables: Names of variables, separated by commas: the field names of hourly rows
        :param dataset_id: A dataset of /v1/catalog by itself; default: the published hourly forecast
        :param run: Reference time of a run that is still stored, with dataset_id; default: the newest run
        :param as_of: Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now
        :param units: System of units
        :param hours: Hours from the current one
        :param start: First time of a period, which may be in the past: the published forecast then has analyses (URMA, else RTMA) and measured amounts, a dataset the runs that were served then; default: the current hour
        :param end: Last time of the period, at most 264 hours after start; default: 47 hours after start
        """
        return await self._call("POST", "/v1/series/batch", SeriesBatchAnswer, None, {"points": points, "variables": variables, "dataset_id": dataset_id, "run": run, "as_of": as_of, "units": units, "hours": hours, "start": start, "end": end})

    async def catalog(
        self,
    ) -> CatalogAnswer:
        """Every product and its served runs."""
        return await self._call("GET", "/v1/catalog", CatalogAnswer, None, None)

    async def product(
        self,
        product_id: str,
    ) -> ProductAnswer:
        """One product.

        :param product_id: An id of /v1/catalog
        """
        return await self._call("GET", f"/v1/catalog/{segment(product_id)}", ProductAnswer, None, None)

    async def alerts(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        bbox: str | None = None,
        area: str | None = None,
        zone: str | None = None,
        office: str | None = None,
        id: str | None = None,
        event: str | None = None,
        severity: str | None = None,
        urgency: str | None = None,
        certainty: str | None = None,
        status: str | None = None,
        alert_detail: str | None = None,
    ) -> AlertsAnswer:
        """Active NWS alerts at a point, in a box, in a state or zone, of an office, or one alert by id.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param bbox: west,south,east,north in degrees
        :param area: State, or the two letters of marine zones: CO, GM
        :param zone: Zone or county: COZ040, COC031
        :param office: Forecast office: BOU or KBOU
        :param id: Id of one alert, for its full detail
        :param event: Names of events in any case, separated by commas: Tornado Warning,Flood Watch. A misspelled name is rejected with the nearest name; a name in no list gives the warning unknown_event
        :param severity: Severities, separated by commas
        :param urgency: Urgencies, separated by commas
        :param certainty: Certainties, separated by commas
        :param status: Actual (default), Exercise, Test
        :param alert_detail: full: alerts with description, instruction and geometry; concise: alerts with a link to these
        """
        return await self._call("GET", "/v1/alerts", AlertsAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "bbox": bbox, "area": area, "zone": zone, "office": office, "id": id, "event": event, "severity": severity, "urgency": urgency, "certainty": certainty, "status": status, "alert_detail": alert_detail}, None)

    async def observations(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        bbox: str | None = None,
        station: str | None = None,
        hours: int | None = None,
        units: str | None = None,
        limit: int | None = None,
    ) -> ObservationsAnswer:
        """METARs in a box, of the station nearest to a point, or of one station.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param bbox: west,south,east,north in degrees
        :param station: One station: KDEN, or its FAA or IATA code DEN
        :param hours: Every report of the past hours, 1 to 72; default: the newest report of each station, at most 3 hours old
        :param units: Units
        :param limit: Largest number of items, 1 to 2000
        """
        return await self._call("GET", "/v1/observations", ObservationsAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "bbox": bbox, "station": station, "hours": hours, "units": units, "limit": limit}, None)

    async def skill(
        self,
        *,
        variable: str | None = None,
        state: str | None = None,
        office: str | None = None,
        station: str | None = None,
        bbox: str | None = None,
        days: int | None = None,
        lead: Any | None = None,
        source: str | None = None,
        units: str | None = None,
        domain: str | None = None,
        lead_minutes: float | None = None,
    ) -> SkillAnswer:
        """Scores of forecasts against station reports and radar.

        :param variable: Variable that is scored; nowcast compares nowcasts with the radar that followed
        :param state: Postal abbreviation of a state
        :param office: Forecast office
        :param station: One station
        :param bbox: west,south,east,north in degrees
        :param days: Days before today (UTC), 1 to 400
        :param lead: One lead in hours; 0 is the analysis
        :param source: One source; blend is the published forecast
        :param units: Units
        :param domain: One domain: of radar for a nowcast, otherwise of the states in it
        :param lead_minutes: One lead of a nowcast in minutes
        """
        return await self._call("GET", "/v1/skill", SkillAnswer, {"variable": variable, "state": state, "office": office, "station": station, "bbox": bbox, "days": days, "lead": lead, "source": source, "units": units, "domain": domain, "lead_minutes": lead_minutes}, None)

    async def storm_tracks(
        self,
        *,
        bbox: str | None = None,
        site: str | None = None,
    ) -> StormTracksAnswer:
        """Storms with their motion, as GeoJSON.

        :param bbox: west,south,east,north in degrees
        :param site: Storms within 230 km of this radar: FTG or KFTG
        """
        return await self._call("GET", "/v1/storm-tracks", StormTracksAnswer, {"bbox": bbox, "site": site}, None)

    async def climate_reports(
        self,
        *,
        wfo: str | None = None,
        date: str | None = None,
        start: str | None = None,
        end: str | None = None,
        hours: int | None = None,
        limit: int | None = None,
        station: str | None = None,
    ) -> ClimateReportsAnswer:
        """Daily climate reports (CLI).

        :param wfo: Issuing office: BOX or KBOX
        :param date: Local date
        :param start: First local date, with end
        :param end: Last local date, with start; at most 366 days
        :param hours: Reports that were issued in this many last hours; default without dates: 48
        :param limit: Largest number of items, 1 to 500
        :param station: Station by AWIPS or ICAO code: BOS or KBOS
        """
        return await self._call("GET", "/v1/climate/reports", ClimateReportsAnswer, {"wfo": wfo, "date": date, "start": start, "end": end, "hours": hours, "limit": limit, "station": station}, None)

    async def climate_records(
        self,
        *,
        wfo: str | None = None,
        date: str | None = None,
        start: str | None = None,
        end: str | None = None,
        hours: int | None = None,
        limit: int | None = None,
        record_type: str | None = None,
    ) -> ClimateRecordsAnswer:
        """Record event reports (RER).

        :param wfo: Issuing office: BOX or KBOX
        :param date: Local date
        :param start: First local date, with end
        :param end: Last local date, with start; at most 366 days
        :param hours: Reports that were issued in this many last hours; default without dates: 48
        :param limit: Largest number of items, 1 to 500
        :param record_type: One of HIGH, LOW, HIGH_MIN, LOW_MAX, RAIN, SNOW, OTHER
        """
        return await self._call("GET", "/v1/climate/records", ClimateRecordsAnswer, {"wfo": wfo, "date": date, "start": start, "end": end, "hours": hours, "limit": limit, "record_type": record_type}, None)

    async def radar_site(
        self,
        id: str,
        product: str,
        *,
        lat: float | None = None,
        lon: float | None = None,
    ) -> RadarSiteAnswer:
        """The newest scan of one radar, with its extent and legend, and its value at a point.

        :param id: A radar: FTG or KFTG; see /v1/radars
        :param product: N0B or reflectivity, N0G or velocity, N0S or storm_relative_velocity, N0H or hydrometeor_class
        :param lat: Latitude of a point, for its value; degrees
        :param lon: Longitude of a point, for its value; degrees
        """
        return await self._call("GET", f"/v1/radar/site/{segment(id)}/{segment(product)}", RadarSiteAnswer, {"lat": lat, "lon": lon}, None)

    async def radar_times(
        self,
        product: str,
    ) -> RadarTimesAnswer:
        """Available times of the images of a radar product, and its legend.

        :param product: A radar product of /v1/catalog
        """
        return await self._call("GET", f"/v1/radar/{segment(product)}", RadarTimesAnswer, None, None)

    async def radar_tile_json(
        self,
        product: str,
        time: str,
        *,
        opacity: float | None = None,
        size: float | None = None,
    ) -> RadarTileJsonAnswer:
        """TileJSON 3.0 of a radar product: addresses, zooms and bounds of its tiles.

        :param product: A radar product of /v1/catalog
        :param time: latest, or an instant as in /v1/radar/{product}.png
        :param opacity: Opacity of the picture, 0 to 1
        :param size: Pixels of a side: 256 or 512
        """
        return await self._call("GET", f"/v1/radar/{segment(product)}/{segment(time)}/tiles.json", RadarTileJsonAnswer, {"opacity": opacity, "size": size}, None)

    async def geocode(
        self,
        *,
        q: str,
        limit: int | None = None,
        near: str | None = None,
    ) -> GeocodeAnswer:
        """Find places by name, ZIP code or coordinates, the most populous first.

        :param q: City, airport (name, ICAO or IATA code), county, park, summit, lake, university, …, with or without its state; ZIP code; or lat,lon. Case and accents are ignored, and the beginning of a name is enough
        :param limit: Largest number of items, 1 to 50
        :param near: lat,lon: among places with the same name, nearer places are preferred
        """
        return await self._call("GET", "/v1/geocode", GeocodeAnswer, {"q": q, "limit": limit, "near": near}, None)

    async def reverse_geocode(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
    ) -> ReverseGeocodeAnswer:
        """Name of a point, and the places, stations and zones around it.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        """
        return await self._call("GET", "/v1/reverse-geocode", ReverseGeocodeAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near}, None)

    async def stations(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        bbox: str | None = None,
        state: str | None = None,
        id: str | None = None,
        radius_km: float | None = None,
        limit: int | None = None,
    ) -> StationsAnswer:
        """METAR stations near a point, in a box or a state.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param bbox: west,south,east,north in degrees
        :param state: Postal abbreviation of a state
        :param id: One site: KDEN, KFTG or FTG
        :param radius_km: Only sites within this many kilometres
        :param limit: Largest number of items, 1 to 500
        """
        return await self._call("GET", "/v1/stations", StationsAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "bbox": bbox, "state": state, "id": id, "radius_km": radius_km, "limit": limit}, None)

    async def radars(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        bbox: str | None = None,
        state: str | None = None,
        id: str | None = None,
        radius_km: float | None = None,
        limit: int | None = None,
    ) -> RadarsAnswer:
        """WSR-88D radars near a point, in a box or a state.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param bbox: west,south,east,north in degrees
        :param state: Postal abbreviation of a state
        :param id: One site: KDEN, KFTG or FTG
        :param radius_km: Only sites within this many kilometres
        :param limit: Largest number of items, 1 to 500
        """
        return await self._call("GET", "/v1/radars", RadarsAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "bbox": bbox, "state": state, "id": id, "radius_km": radius_km, "limit": limit}, None)

    async def offices(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        state: str | None = None,
        id: str | None = None,
    ) -> OfficesAnswer:
        """Forecast offices at a point, in a state, or all.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param state: Postal abbreviation of a state
        :param id: Forecast office: BOU or KBOU
        """
        return await self._call("GET", "/v1/offices", OfficesAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "state": state, "id": id}, None)

    async def zones(
        self,
        *,
        lat: float | None = None,
        lon: float | None = None,
        location: str | None = None,
        zip: str | None = None,
        near: str | None = None,
        state: str | None = None,
        office: str | None = None,
        kind: str | None = None,
        id: str | None = None,
        limit: int | None = None,
    ) -> ZonesAnswer:
        """NWS zones at a point, in a state or of an office, as a list or as at most 50 shapes.

        :param lat: Latitude in degrees, with lon; rounded to 4 decimals
        :param lon: Longitude in degrees, with lat; rounded to 4 decimals
        :param location: Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"
        :param zip: US ZIP code: 80202 or 80202-1234
        :param near: lat,lon: among places with the same name, nearer places are preferred
        :param state: Postal abbreviation of a state
        :param office: Forecast office: BOU or KBOU
        :param kind: Kind of zone
        :param id: Zone code: COC031, COZ040, GMZ630
        :param limit: Largest number of items, 1 to 1000
        """
        return await self._call("GET", "/v1/zones", ZonesAnswer, {"lat": lat, "lon": lon, "location": location, "zip": zip, "near": near, "state": state, "office": office, "kind": kind, "id": id, "limit": limit}, None)

    async def create_webhook(
        self,
        *,
        url: str,
        events: Sequence[Any],
        filter: Any | None = None,
        description: str | None = None,
    ) -> CreateWebhookAnswer:
        """Create a webhook, which is called when something changes.

        :param url: URL of the receiver: https with a public host name
        :param events: Types of events
        :param filter: Conditions on events
        :param description: Purpose of the webhook
        """
        return await self._call("POST", "/v1/webhooks", CreateWebhookAnswer, None, {"url": url, "events": events, "filter": filter, "description": description})

    async def webhooks(
        self,
    ) -> WebhooksAnswer:
        """Webhooks of this key."""
        return await self._call("GET", "/v1/webhooks", WebhooksAnswer, None, None)

    async def webhook(
        self,
        id: str,
    ) -> Webhook:
        """One webhook.

        :param id: Id of a webhook of this key
        """
        return await self._call("GET", f"/v1/webhooks/{segment(id)}", Webhook, None, None)

    async def update_webhook(
        self,
        id: str,
        *,
        url: str | None = None,
        events: Sequence[Any] | None = None,
        filter: Any | None = None,
        description: str | None = None,
        enabled: bool | None = None,
    ) -> Webhook:
        """Change, pause or resume a webhook.

        :param id: Id of a webhook of this key
        :param url: URL of the receiver: https with a public host name
        :param events: Types of events
        :param filter: Conditions on events
        :param description: Purpose of the webhook
        :param enabled: Whether calls are sent; false while paused, and after the receiver answered 410
        """
        return await self._call("PATCH", f"/v1/webhooks/{segment(id)}", Webhook, None, {"url": url, "events": events, "filter": filter, "description": description, "enabled": enabled})

    async def delete_webhook(
        self,
        id: str,
    ) -> None:
        """Delete a webhook and its waiting calls.

        :param id: Id of a webhook of this key
        """
        return await self._call("DELETE", f"/v1/webhooks/{segment(id)}", None, None, None)

    async def webhook_test(
        self,
        id: str,
    ) -> WebhookTestAnswer:
        """Send a test call.

        :param id: Id of a webhook of this key
        """
        return await self._call("POST", f"/v1/webhooks/{segment(id)}/test", WebhookTestAnswer, None, None)

    async def webhook_deliveries(
        self,
        id: str,
        *,
        state: str | None = None,
        limit: int | None = None,
    ) -> WebhookDeliveriesAnswer:
        """Calls of a webhook, newest first, with the last status and the next attempt.

        :param id: Id of a webhook of this key
        :param state: Only calls in this state
        :param limit: Largest number of items, 1 to 1000
        """
        return await self._call("GET", f"/v1/webhooks/{segment(id)}/deliveries", WebhookDeliveriesAnswer, {"state": state, "limit": limit}, None)

    async def webhook_replay(
        self,
        id: str,
        *,
        delivery_id: str | None = None,
    ) -> WebhookReplayAnswer:
        """Repeat all dead calls, or one.

        :param id: Id of a webhook of this key
        :param delivery_id: Id of a call
        """
        return await self._call("POST", f"/v1/webhooks/{segment(id)}/replay", WebhookReplayAnswer, None, {"delivery_id": delivery_id})

    async def authorization(
        self,
    ) -> None:
        """Whether a key may make a call now."""
        return await self._call("GET", "/v1/authorization", None, None, None)
