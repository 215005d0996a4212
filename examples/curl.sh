#!/bin/sh
# Weather, values as CSV, and alerts as they happen, by curl alone: sh examples/curl.sh [SECONDS]
set -eu
url=${HEXCAST_URL:-http://localhost:8080}
auth="Authorization: Bearer ${HEXCAST_KEY:?the key that the first start printed}"

echo "Denver now:"
curl -fsS --compressed -H "$auth" "$url/v1/weather?location=Denver,CO&include=current" |
  sed -n 's/.*"current":{\([^}]*\)}.*/\1/p'

echo "Temperature of the next hours as CSV:"
curl -fsS -H "$auth" "$url/v1/series/batch?points=39.74,-104.99&variables=temperature&hours=3&units=metric&format=csv"

echo "Alerts of Colorado as they happen:"
# 28: the time is over.
curl -sSN --max-time "${1:-10}" -H "$auth" "$url/v1/events?area=CO" || [ $? = 28 ]
