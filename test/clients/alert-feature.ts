/**
 * Returns an alert as a feature of the feed, in force for an hour from now on.
 * @param geometry GeoJSON of its area; without one it is for the county of Denver
 */
export function alertFeature(id: string, event: string, severity: string, geometry: object | null = null): object {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  return {
    type: 'Feature',
    geometry,
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
