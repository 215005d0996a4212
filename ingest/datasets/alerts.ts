import type { FeedDataset } from '../domain/dataset/dataset.ts'
import { alaska, conus, hawaii } from './domains.ts'

export const nwsAlerts = {
  id: 'nws-alerts',
  role: 'alerts',
  stateKey: 'alerts',
  title: 'NWS watches, warnings and advisories',
  description:
    'All active alerts of the National Weather Service, with their areas and their whole life from issuance to final expiration.',
  kind: 'event',
  provider: 'NOAA/NWS',
  attribution: 'National Weather Service alerts',
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 30,
  pollSeconds: 30,
  latencySeconds: 60,
  staleAfterSeconds: 120,
  deadlineSeconds: 0,
} as const satisfies FeedDataset
