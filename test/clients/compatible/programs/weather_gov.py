import json

import weather_gov

client = weather_gov.Client("nobody@example.org")
point = client.get("points/39.74,-104.99")["properties"]
forecast = client.get(f"gridpoints/{point['gridId']}/{point['gridX']},{point['gridY']}/forecast/hourly")
periods = forecast["properties"]["periods"]
celsius = (periods[0]["temperature"] - 32) / 1.8
print(json.dumps({"temperature": celsius, "hours": len(periods)}))
