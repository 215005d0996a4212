"""The weather entity of a place, with hourly and daily forecasts."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from homeassistant.components.weather import Forecast, SingleCoordinatorWeatherEntity, WeatherEntityFeature
from homeassistant.const import UnitOfLength, UnitOfPrecipitationDepth, UnitOfPressure, UnitOfSpeed, UnitOfTemperature
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .const import CONDITIONS
from .coordinator import HexcastConfigEntry, HexcastCoordinator
from .entity import attribution_of, device_of


async def async_setup_entry(
    hass: HomeAssistant, entry: HexcastConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add one entity for each place."""
    async_add_entities([HexcastWeather(entry.runtime_data)])


def condition_of(icon: str | None) -> str | None:
    """Return the condition for an icon. An unknown icon gets the condition of the longest known part before a hyphen."""
    if icon is None:
        return None
    if icon == "clear-night":
        return "clear-night"
    stem = icon.removesuffix("-day").removesuffix("-night")
    while stem not in CONDITIONS and "-" in stem:
        stem = stem.rsplit("-", 1)[0]
    return CONDITIONS.get(stem)


def _current(name: str) -> property:
    return property(lambda self: self.coordinator.data.get("current", {}).get(name))


class HexcastWeather(SingleCoordinatorWeatherEntity[HexcastCoordinator]):
    """The weather of a place, in the metric units that are requested from the server."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_native_pressure_unit = UnitOfPressure.HPA
    _attr_native_wind_speed_unit = UnitOfSpeed.KILOMETERS_PER_HOUR
    _attr_native_visibility_unit = UnitOfLength.KILOMETERS
    _attr_native_precipitation_unit = UnitOfPrecipitationDepth.MILLIMETERS
    _attr_supported_features = WeatherEntityFeature.FORECAST_HOURLY | WeatherEntityFeature.FORECAST_DAILY

    native_temperature = _current("temperature")
    native_apparent_temperature = _current("feels_like")
    native_dew_point = _current("dew_point")
    humidity = _current("humidity")
    native_pressure = _current("pressure")
    native_wind_speed = _current("wind_speed")
    native_wind_gust_speed = _current("wind_gust")
    wind_bearing = _current("wind_direction")
    native_visibility = _current("visibility")
    cloud_coverage = _current("cloud_cover")
    uv_index = _current("uv_index")

    def __init__(self, coordinator: HexcastCoordinator) -> None:
        """Create the entity of a coordinator."""
        super().__init__(coordinator)
        self._attr_unique_id = coordinator.config_entry.entry_id
        self._attr_device_info = device_of(coordinator)

    @property
    def available(self) -> bool:
        """Return false without current conditions, since they are the state."""
        return super().available and "current" in self.coordinator.data

    @property
    def condition(self) -> str | None:
        """Return the current condition in Home Assistant's words."""
        return condition_of(self.coordinator.data.get("current", {}).get("icon"))

    @property
    def attribution(self) -> str:
        """Return the source of the data."""
        return attribution_of(self.coordinator)

    @callback
    def _async_forecast_hourly(self) -> list[Forecast] | None:
        rows = self.coordinator.data.get("hourly")
        if rows is None:
            return None
        # An hour in Home Assistant begins at its time, so the current hour has already begun.
        earliest = dt_util.utcnow() - timedelta(hours=1)
        ends = {datetime.fromisoformat(row["time"]): row for row in rows}
        return [
            _hour(row, ends.get(begin + timedelta(hours=1), {})) for begin, row in ends.items() if begin > earliest
        ]

    @callback
    def _async_forecast_daily(self) -> list[Forecast] | None:
        rows = self.coordinator.data.get("daily")
        # The row of the night that began yesterday is not a day.
        return rows and [self._day(row) for row in rows if row["relative_day"] >= 0]

    def _day(self, row: dict[str, Any]) -> Forecast:
        start = datetime.combine(date.fromisoformat(row["date"]), time(0), self.coordinator.zone)
        return Forecast(
            datetime=dt_util.as_utc(start).isoformat(),
            condition=condition_of(row.get("icon")),
            native_temperature=row.get("high"),
            native_templow=row.get("low"),
            native_precipitation=row.get("precip_total"),
            precipitation_probability=_whole(row.get("precip_probability")),
            native_wind_speed=row.get("wind_speed_max"),
            native_wind_gust_speed=row.get("wind_gust_max"),
            wind_bearing=row.get("wind_direction"),
            humidity=row.get("humidity_avg"),
            cloud_coverage=_whole(row.get("cloud_cover_avg")),
            native_pressure=row.get("pressure_avg"),
            uv_index=row.get("uv_index_max"),
        )


def _hour(row: dict[str, Any], end: dict[str, Any]) -> Forecast:
    """Combine a row and the next one into an hour: amounts and their probability belong to the hour that ends at a row's time."""
    return Forecast(
        datetime=row["time"],
        condition=condition_of(row.get("icon")),
        native_temperature=row.get("temperature"),
        native_apparent_temperature=row.get("feels_like"),
        native_dew_point=row.get("dew_point"),
        native_precipitation=end.get("precip_amount"),
        precipitation_probability=_whole(end.get("precip_probability")),
        native_wind_speed=row.get("wind_speed"),
        native_wind_gust_speed=row.get("wind_gust"),
        wind_bearing=row.get("wind_direction"),
        humidity=row.get("humidity"),
        cloud_coverage=_whole(row.get("cloud_cover")),
        native_pressure=row.get("pressure"),
        uv_index=row.get("uv_index"),
    )


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)
