import type { FeedDataset } from '../domain/dataset/dataset.ts'
import { alaska, conus, hawaii } from './domains.ts'

export const nwsTexts = {
  id: 'nws-texts',
  role: 'texts',
  stateKey: 'text',
  family: 'text',
  title: 'Texts of NWS forecasters',
  description:
    'Area forecast discussions, hazardous weather outlooks, short-term forecasts and hurricane local statements of every office; mesoscale discussions, convective outlooks and national discussions of SPC and WPC.',
  kind: 'text',
  provider: 'NOAA/NWS',
  attribution: 'National Weather Service forecaster texts',
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 60,
  pollSeconds: 60,
  latencySeconds: 120,
  staleAfterSeconds: 900,
  deadlineSeconds: 0,
} as const satisfies FeedDataset
