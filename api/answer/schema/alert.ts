import { z } from 'zod'
import { doc, measured } from '../../present/property.ts'
import * as member from '../../present/shared-properties.ts'

const at = z.iso.datetime()
const number = z.number()
const text = z.string().optional()
const flag = z.boolean().optional()

/** Schemas of alerts and outlooks. */
export const alertSchema = z
  .looseObject({
    id: doc(z.string(), 'Id of the NWS message', 'urn:oid:2.49.0.1.840.0.8a1f.001.1'),
    event: doc(z.string(), 'Name of the event', 'Severe Thunderstorm Warning'),
    severity: doc(z.string(), 'Severity by CAP: Extreme, Severe, Moderate, Minor, Unknown', 'Severe'),
    urgency: doc(z.string(), 'Urgency by CAP: Immediate, Expected, Future, Past, Unknown', 'Immediate'),
    certainty: doc(z.string(), 'Certainty by CAP: Observed, Likely, Possible, Unlikely, Unknown', 'Observed'),
    headline: doc(
      z.string(),
      'Headline of the message',
      'Severe Thunderstorm Warning issued August 20 at 3:12PM MDT by NWS Denver CO',
    ),
    sender: doc(z.string(), 'Issuing office', 'NWS Denver CO'),
    status: doc(z.enum(['Actual', 'Exercise', 'Test']), 'Actual; Exercise and Test are not warnings', 'Actual'),
    onset: doc(at, 'Start of the event', '2026-08-20T21:12:00Z'),
    ends: doc(at, 'End of the event', '2026-08-20T22:00:00Z'),
    effective: doc(at, 'Start of the validity of the message', '2026-08-20T21:12:00Z'),
    expires: doc(at, 'End of the validity of the message', '2026-08-20T22:00:00Z'),
    expiration: doc(at, 'Time at which the alert is over: ends, else expires', '2026-08-20T22:00:00Z'),
    area_desc: doc(text, 'Areas in words', 'Denver; Adams; Arapahoe'),
    highlights: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description: 'Chosen parameters of the message, such as the hail size, by name',
        examples: [{ maxHailSize: '1.00 in' }],
      }),
  })
  .meta({ id: 'Alert' })

export const outlookSchema = z
  .strictObject({
    product_id: doc(z.string(), 'Id of the dataset in /v1/catalog', 'spc-outlooks'),
    type: doc(z.string(), 'Subject of the outlook: severe, tornado, hail, wind, fire, flood', 'severe'),
    risk_label: member.risk_label,
    day: measured(z.int(), 'outlookday', 1, 'Day of the outlook: 1 is today'),
    valid: doc(at, 'Start of the outlook', '2026-08-20T12:00:00Z'),
    expires: doc(at, 'End of the outlook', '2026-08-21T12:00:00Z'),
    risk: member.risk.optional(),
    probability: number
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'Probability within 25 miles of a point', 'x-unit': '1', examples: [0.15] }),
    significant: doc(
      flag,
      'Inside the area of significant severe weather: EF2 tornadoes, hail of 2 inches, gusts of 65 kt; left out if this is not known',
      false,
    ),
    intensity_group: measured(
      z.int().optional(),
      'strength',
      2,
      'Conditional intensity group (CIG 1 to 3) of the severe weather, if the outlook has one',
    ),
  })
  .meta({ id: 'Outlook' })
