/** Returns an alert for the county of Denver as in the feed, in force for an hour. */
export function alertFeature(id: string, event: string, severity: string): object {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  return {
    type: 'Feature',
    geometry: null,
    properties: {
      ...{ id, event, severity, status: 'Actual', messageType: 'Alert', urgency: 'Immediate', certainty: 'Observed' },
      ...{ sent: at(-1), effective: at(-1), onset: at(-1), ends: at(3600), expires: at(3600) },
      ...{ headline: `${event} for Denver`, description: 'Words.', instruction: null, areaDesc: 'Denver' },
      senderName: 'NWS Denver/Boulder CO',
      affectedZones: ['https://api.weather.gov/zones/county/COC031'],
      geocode: { UGC: ['COC031'], SAME: ['008031'] },
      parameters: {},
    },
  }
}
