import json

from pirate_weather.api import PirateWeather
from pirate_weather.types.units import Units

forecast = PirateWeather("any-key").get_forecast(39.74, -104.99, values_units=Units.CA)
hours, days = len(list(forecast.hourly)), len(list(forecast.daily))
print(json.dumps({"temperature": forecast.currently.temperature, "hours": hours, "days": days}))
