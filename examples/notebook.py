# %% [markdown]
# # Weather as data frames
# Cells for Jupyter, VS Code or Spyder; also a script: `python examples/notebook.py`.
# `pip install 'hexcast[pandas]'`, or the wheel that `npm run clients -- --python=python3` packs.

# %%
import os

from hexcast import Client

client = Client(os.environ.get("HEXCAST_URL", "http://localhost:8080"), os.environ.get("HEXCAST_KEY"))

# %% The next hours of Denver, times in UTC
weather = client.weather(location="Denver, CO", units="metric", include="current,hourly,daily", hourly_hours=48)
hours = weather.to_pandas("hourly")
print(f"{weather.location.name}: {weather.current.temperature} °{hours.attrs['units']['temperature']}, {weather.current.conditions}")
print(hours[["temperature", "wind_speed", "precip_probability"]].head(6).to_string())

# %% Highs and lows in the place's own days
days = weather.to_pandas("daily")
print(days[["high", "low", "precip_total"]].to_string())

# %% One variable at several places, beside each other
places = {"Denver": (39.74, -104.99), "Houston": (29.76, -95.37), "Fairbanks": (64.84, -147.72)}
points = [{"lat": lat, "lon": lon} for lat, lon in places.values()]
series = client.series_batch(points=points, variables="temperature", hours=12, units="metric").to_pandas()
table = series["temperature"].unstack("point").rename(columns=dict(enumerate(places)))
print(table.to_string())

# %%
client.close()
