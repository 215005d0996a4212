import { expect, test } from 'vitest'
import { threatOfAlert, withAlerts } from '../../../ingest/domain/alert/event-threat.ts'

test('returns the threat of an event and its level from its name', () => {
  expect(threatOfAlert('Winter Storm Warning')).toEqual({
    type: 'winter',
    risk: 'Winter Storm Warning',
    risk_label: 'Warning',
  })
  expect(threatOfAlert('Extreme Heat Watch')).toMatchObject({ type: 'heat', risk_label: 'Watch' })
  expect(threatOfAlert('Cold Weather Advisory')).toMatchObject({ type: 'cold', risk_label: 'Advisory' })
  expect(threatOfAlert('Red Flag Warning')).toMatchObject({ type: 'fire' })
  expect(threatOfAlert('Flash Flood Warning')).toMatchObject({ type: 'flood' })
  expect(threatOfAlert('Tornado Watch')).toMatchObject({ type: 'tornado', risk_label: 'Watch' })
  for (const event of [
    'Special Weather Statement',
    'Air Quality Alert',
    'Small Craft Advisory',
    'Gale Warning',
    'Test Message',
  ])
    expect(threatOfAlert(event), event).toBeUndefined()
})

test('replaces numbers with the most severe alert of a type, and keeps outlooks of severe storms', () => {
  const threats = withAlerts(
    [
      { type: 'severe', risk: 'SLGT', risk_label: 'Slight', probability: 0.15 },
      { type: 'winter', risk_label: 'Minor', probability: 0.6 },
    ],
    ['Winter Weather Advisory', 'Winter Storm Warning', 'Severe Thunderstorm Watch', 'Heat Advisory'],
  )
  expect(threats).toEqual([
    { type: 'severe', risk: 'SLGT', risk_label: 'Slight', probability: 0.15 },
    { type: 'winter', risk: 'Winter Storm Warning', risk_label: 'Warning', probability: 0.6 },
    { type: 'heat', risk: 'Heat Advisory', risk_label: 'Advisory' },
  ])
})
