"""A program of a stranger: runs in an empty environment in which the wheel is installed. Prints one JSON object."""

import asyncio
import base64
import http.server
import json
import os
import sys
import threading
import time

import hexcast

URL, KEY = os.environ["HEXCAST_URL"], os.environ["HEXCAST_KEY"]
found = {"python": sys.version_info[:2]}

with hexcast.Client(URL, KEY) as client:
    weather = client.weather(location="Denver, CO", include="current,hourly,daily", units="metric", days=3)
    hours, days = weather.to_pandas(), weather.to_pandas("daily")
    found["forecast"] = {
        "place": f"{weather.location.name}, {weather.location.region}",
        "temperature": weather.current.temperature,
        "unit": weather.units.temperature,
        "hours": len(hours),
        "first": float(hours["temperature"].iloc[0]) == weather.hourly[0].temperature,
        "utc": str(hours.index.tz),
        "frame_unit": hours.attrs["units"]["temperature"],
        "high": float(days["high"].max()),
    }
    points = [{"lat": 39.74, "lon": -104.99}, {"lat": 29.76, "lon": -95.37}, {"lat": 51.5, "lon": 0.1}]
    series = client.series_batch(points=points, variables="temperature,wind_speed", hours=6).to_pandas()
    found["series"] = [list(series.index.names), list(series.columns), sorted(set(series.index.get_level_values(0)))]
    values = client.point(points=points, variables="temperature").to_pandas()
    found["point"] = [len(values), bool(values["temperature"].notna().iloc[0]), bool(values["temperature"].isna().iloc[2])]
    found["catalog"] = len(client.catalog().to_pandas())
    try:
        client.weather(lat=51.5, lon=0)
    except hexcast.ProblemError as error:
        found["fault"] = [error.slug, error.status]
    for change in client.changes(area="CO"):
        found["pushed"] = [change.type, change.data.id, change.data.event]
        break
    # What came while nothing listened.
    time.sleep(1)
    later = client.changes(area="CO", last_event_id=change.id)
    found["resumed"] = int(next(later).id) > int(change.id)

    calls, got = [], threading.Event()

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            calls.append((body, dict(self.headers)))
            self.send_response(204)
            self.end_headers()
            got.set()

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hook = client.create_webhook(url=f"http://127.0.0.1:{server.server_port}/hook", events=["alert.*"], filter={"area": "TX"})
    client.webhook_test(hook.id)
    got.wait(20)
    client.delete_webhook(hook.id)

body, headers = calls[0]
receiver = hexcast.WebhookReceiver(hook.secret)


def refused(body=body, secret=hook.secret, **over):
    try:
        hexcast.WebhookReceiver(secret).verify(body, {**headers, **over})
    except hexcast.WebhookVerificationError:
        return True
    return False


found["webhook"] = {
    "type": receiver.verify(body, headers).type,
    "repeated": receiver.verify(body, headers) is None,
    "forged": refused(body + b" ") and refused(**{"webhook-signature": "v1,AAAA"}) and refused(**{"webhook-id": "msg_x"}),
    "aged": refused(**{"webhook-timestamp": str(int(time.time()) - 301)}),
    "early": refused(**{"webhook-timestamp": str(int(time.time()) + 400)}),
    "bare": refused(**{"webhook-id": ""}),
    "otherSecret": refused(secret="whsec_" + base64.b64encode(b"1" * 32).decode()),
}


async def main():
    async with hexcast.AsyncClient(URL, KEY) as client:
        weather, alerts = await asyncio.gather(client.weather(zip="80202", include="current"), client.alerts(area="CO"))
        async for change in client.changes(area="CO"):
            return [weather.location.name, type(alerts.alerts).__name__, change.type]


found["async"] = asyncio.run(main())
print(json.dumps(found))
