import { code, type Guide, html } from './guide.ts'

export const quickstart: Guide = (base) => ({
  title: 'Quickstart',
  about: 'A key, the first request, and the same in Python, JavaScript and Go.',
  body: html`<p>Put your key (<a href="/developer">get one here</a>, or <a href="/docs/keys">from a program</a>) into the environment of your shell, and request the weather of a place:</p>
${code(`export HEXCAST_KEY=hx_live_…
curl -H "Authorization: Bearer $HEXCAST_KEY" \\
  "${base}/v1/weather?location=Denver,%20CO&include=current,hourly,daily,alerts"`)}
<h2 id="answer">The answer</h2>
<p>The answer is one object. <code>location</code>, <code>gis</code>, <code>attribution</code> and <code>meta</code> are always there; each token of <code>include</code> adds a section. A place is <code>location</code> (name, ZIP code or coordinates), or <code>lat</code> with <code>lon</code>, or <code>zip</code>.</p>
${code(`{
  "location": { "name": "Denver", "region": "CO", "timezone": "America/Denver", … },
  "current": { "temperature": 71.2, "feels_like": 70.6, "conditions": "Partly Cloudy", "icon": "partly-cloudy-day", … },
  "hourly": [ { "time": "2026-08-20T18:00:00Z", "temperature": 73.1, "precip_probability": 10, … }, … ],
  "daily": [ { "date": "2026-08-20", "high": 84.3, "low": 58.2, "day": { … }, "night": { … } }, … ],
  "alerts": [],
  "meta": { "freshness": [ { "product_id": "nbm", "age_seconds": 5100, … } ], "warnings": [] }
}`)}
<p>A section that is not available just now is absent, and <code>meta.warnings</code> says why. A new server has no forecast yet: wait a few minutes.</p>
<h2 id="python">Python</h2>
${code(`import os, requests

answer = requests.get(
    "${base}/v1/weather",
    params={"location": "Denver, CO", "include": "current,daily", "days": 3},
    headers={"Authorization": f"Bearer {os.environ['HEXCAST_KEY']}"},
    timeout=15,
)
answer.raise_for_status()
weather = answer.json()
print(weather["current"]["temperature"], weather["current"]["conditions"])
for day in weather.get("daily", []):
    if day["relative_day"] >= 0:  # -1 is the night that began yesterday
        print(day["date"], day["low"], day["high"], day["conditions"])
for warning in weather["meta"]["warnings"]:
    print(warning["section"], warning["code"])`)}
<h2 id="javascript">JavaScript and TypeScript</h2>
<p>Run this on a server, since a key must not be in a page. Save it as <code>weather.mjs</code>. <code>npm run clients</code> packs a typed client, <code>@hexcast/client</code>.</p>
${code(`import { env } from 'node:process'

const query = new URLSearchParams({ location: 'Denver, CO', include: 'current,daily' })
const response = await fetch(\`${base}/v1/weather?\${query}\`, {
  headers: { Authorization: \`Bearer \${env.HEXCAST_KEY}\` },
})
if (!response.ok) throw new Error((await response.json()).detail)
const { current, units } = await response.json()
console.log(\`\${current.temperature} °\${units.temperature}, \${current.conditions}\`)`)}
<h2 id="go">Go</h2>
${code(`package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	request, err := http.NewRequest("GET", "${base}/v1/weather?location=Denver,%20CO&include=current", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("HEXCAST_KEY"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}
	var weather struct {
		Current struct {
			Temperature *float64
			Conditions  string
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&weather); err != nil {
		log.Fatal(err)
	}
	if weather.Current.Temperature != nil {
		fmt.Println(*weather.Current.Temperature, weather.Current.Conditions)
	}
}`)}
<h2 id="next">Next</h2>
<p><a href="/docs/fields">What each field means</a>, <a href="/docs/time">time and days</a>, <a href="/docs/alerts">alerts</a>, <a href="/docs/caching">caching</a>, <a href="/errors">errors</a>, and the whole <a href="/docs/api">API reference</a>. Assistants connect to the <a href="/docs/mcp">MCP server</a>.</p>`,
})
