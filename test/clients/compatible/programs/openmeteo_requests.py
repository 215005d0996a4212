import json
import os

import openmeteo_requests

client = openmeteo_requests.Client()
parameters = {
    "latitude": 39.74,
    "longitude": -104.99,
    "current": ["temperature_2m"],
    "hourly": ["temperature_2m", "precipitation"],
    "daily": ["temperature_2m_max", "sunrise"],
}
[response] = client.weather_api(os.environ["BASE"] + "/open-meteo/v1/forecast", params=parameters)
hours = response.Hourly().Variables(0).ValuesLength()
print(json.dumps({"temperature": float(response.Current().Variables(0).Value()), "hours": hours}))
