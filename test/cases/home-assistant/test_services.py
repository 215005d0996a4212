"""Home Assistant's own integrations of api.weather.gov and Open-Meteo, unchanged, with a running server."""

from datetime import datetime
import json
import os

from homeassistant.config_entries import ConfigEntryState
from pytest_homeassistant_custom_component.common import MockConfigEntry

EXPECTED = json.loads(os.environ["EXPECTED"])
DENVER = {"latitude": 39.74, "longitude": -104.99}


async def forecast_of(hass, entity, kind):
    """Call the service that cards call."""
    wanted = {"entity_id": entity, "type": kind}
    answer = await hass.services.async_call("weather", "get_forecasts", wanted, blocking=True, return_response=True)
    return answer[entity]["forecast"]


async def weather_of(hass, domain, data):
    """Set an entry up and return the state of its weather entity."""
    entry = MockConfigEntry(domain=domain, title="Denver", data=data, unique_id=domain)
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert entry.state is ConfigEntryState.LOADED
    (state,) = hass.states.async_all("weather")
    assert state.state not in ("unknown", "unavailable")
    return state


async def test_nws(hass):
    """The entity has the report of the station, and forecasts of half days and hours."""
    data = {**DENVER, "api_key": "test", "station": EXPECTED["station"]}
    state = await weather_of(hass, "nws", data)
    assert abs(state.attributes["temperature"] - EXPECTED["reported"]) <= 0.06
    assert len(await forecast_of(hass, state.entity_id, "twice_daily")) >= 13
    hours = await forecast_of(hass, state.entity_id, "hourly")
    assert len(hours) > 100
    assert all(hour["condition"] and hour["temperature"] is not None for hour in hours)


async def test_nws_finds_its_station(hass):
    """The form takes the nearest of the listed stations."""
    form = await hass.config_entries.flow.async_init("nws", context={"source": "user"})
    result = await hass.config_entries.flow.async_configure(form["flow_id"], {**DENVER, "api_key": "test"})
    assert result["type"] == "create_entry"
    assert result["data"]["station"] == EXPECTED["station"]


async def test_open_meteo(hass):
    """The entity has the temperature of now, and forecasts of days and hours without gaps."""
    hass.states.async_set("zone.denver", "0", DENVER)
    state = await weather_of(hass, "open_meteo", {"zone": "zone.denver"})
    assert abs(state.attributes["temperature"] - EXPECTED["temperature"]) <= 0.06
    days = await forecast_of(hass, state.entity_id, "daily")
    assert len(days) == 7 and all(day["templow"] <= day["temperature"] for day in days)
    hours = await forecast_of(hass, state.entity_id, "hourly")
    times = [datetime.fromisoformat(hour["datetime"]) for hour in hours]
    assert len(hours) > 140 and times == sorted(times)
