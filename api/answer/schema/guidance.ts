import { z } from 'zod'
import { doc, measured, part } from '../../present/property.ts'
import * as member from '../../present/shared-properties.ts'

const text = z.string().optional()

/** Schemas of texts by forecasters. */
export const mcdSchema = z
  .strictObject({
    mcd_number: measured(z.int(), 'number', 1525, 'Number of the discussion in its year'),
    issued_at: member.issued_at.nullish(),
    expires_at: member.expires_at.nullish(),
    concerning: member.concerning.optional(),
    areas_affected: member.areas_affected.optional(),
    summary: member.summary.optional(),
    body: member.body.optional(),
    watch_probability: measured(z.int().nullish(), 'percent', 80, 'Probability that a watch follows'),
  })
  .meta({ id: 'MCD' })
export const afdSchema = z
  .strictObject({
    synopsis: doc(text, 'Synopsis of the discussion', 'High pressure builds over the region.'),
    key_takeaway: doc(text, 'Key message of the discussion', 'Afternoon thunderstorms on the plains.'),
    confidence: doc(text, 'Confidence of the forecasters in words', 'High'),
    wfo: member.wfo.optional(),
    body: member.body.optional(),
    issued_at: member.issued_at.nullish(),
  })
  .meta({ id: 'AFD' })
const shortSchema = z.strictObject({
  summary: member.summary.optional(),
  wfo: member.wfo.optional(),
  body: member.body.optional(),
  issued_at: member.issued_at.nullish(),
})

export const guidanceSchema = z
  .strictObject({
    afd: part(afdSchema.optional(), 'Area forecast discussion'),
    hwo: z
      .strictObject({
        day_one: doc(text, 'Text for the first day', 'Isolated thunderstorms this afternoon.'),
        summary: member.summary.optional(),
        body: member.body.optional(),
        has_active_hazards: doc(z.boolean(), 'Whether the text names a hazard for today', true),
        issued_at: member.issued_at.nullish(),
      })
      .optional()
      .describe('Hazardous weather outlook'),
    now: shortSchema.optional().describe('Short-term forecast of the office'),
    hls: shortSchema.optional().describe('Hurricane local statement'),
    active_mcds: measured(z.int(), 'count', 1, 'Mesoscale discussions whose area covers the point now'),
    mcds: z.array(mcdSchema).optional().describe('These discussions'),
    active_mpds: measured(
      z.int().optional(),
      'count',
      0,
      'Mesoscale precipitation discussions whose area covers the point now',
    ),
    mpds: z
      .array(
        z
          .strictObject({
            mpd_number: measured(z.int(), 'number', 812, 'Number of the discussion in its year'),
            issued_at: member.issued_at.nullish(),
            expires_at: member.expires_at.nullish(),
            concerning: member.concerning.optional(),
            areas_affected: member.areas_affected.optional(),
            flash_flood_tier: doc(text, 'Flash flooding: possible, likely, occurring', 'likely'),
            summary: member.summary.optional(),
            body: member.body.optional(),
          })
          .meta({ id: 'MPD' }),
      )
      .optional()
      .describe('These discussions'),
    pmds: z
      .array(
        z
          .strictObject({
            awips_id: doc(text, 'AWIPS id of the text', 'PMDSPD'),
            pmd_desk: doc(text, 'Desk of the discussion: SPD, EPD, HI, CA, MRD, THR, ENS', 'SPD'),
            summary: member.summary.optional(),
            body: member.body.optional(),
            issued_at: member.issued_at.nullish(),
          })
          .meta({ id: 'PMD' }),
      )
      .optional()
      .describe('Discussions of the Weather Prediction Center'),
    swo_day1_risk: doc(text, 'Categorical risk of the convective outlook of day 1', 'Slight'),
  })
  .meta({ id: 'Guidance' })
