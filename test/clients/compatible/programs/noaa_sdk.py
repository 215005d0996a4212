import json

from noaa_sdk import NOAA

forecast = NOAA().points_forecast(39.74, -104.99, type="forecastHourly")
periods = forecast["properties"]["periods"]
celsius = (periods[0]["temperature"] - 32) / 1.8
print(json.dumps({"temperature": celsius, "hours": len(periods)}))
