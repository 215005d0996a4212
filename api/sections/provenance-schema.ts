import { z } from 'zod'
import { doc, measured } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'

export const index = z.int().min(0)
const memberOrigin = z.object({
  section: doc(z.string(), 'current, hourly or daily; the halves of a day have the members of daily', 'hourly'),
  member: doc(z.string(), 'Name of the member', 'feels_like'),
  field: doc(z.string().optional(), 'Field of hours that the member shows', 'temperature'),
  inputs: doc(z.array(z.string()).optional(), 'Members and fields from which the member is computed', ['temperature']),
  computed: doc(z.boolean().optional(), 'Whether the member is computed, as no source gives it', true),
  dataset_id: member.dataset_id.optional(),
})

export const provenanceSchema = z
  .object({
    cell: z
      .object({
        id: doc(z.string(), 'H3 index', '872681364ffffff'),
        lat: member.lat,
        lon: member.lon,
      })
      .describe('The cell whose centre is where messages are read'),
    files: z
      .array(
        z.object({
          dataset_id: member.dataset_id,
          run: doc(z.string(), 'Reference time of the run', '2026-08-20T16:00:00Z'),
          lead_hours: measured(
            z.number(),
            'lead',
            3,
            'Time from the reference time of the run to the valid time; 0 for analyses and measured amounts, whose run is the hour',
          ),
          url: member.url.nullable(),
        }),
      )
      .describe('The upstream files that were read'),
    messages: z
      .array(
        z.object({
          file: index.meta({ description: 'Index into files', 'x-unit': '1', maximum: 1_000_000_000, examples: [0] }),
          variable: doc(z.string(), 'Variable of the message', 'temperature'),
          byte_range: doc(
            z.tuple([index, index]).nullable(),
            'First and last byte of the message in the file; all bytes of a radar file; null if not recorded',
            [1048576, 1310719],
          ),
          value: measured(
            z.number().nullable(),
            'stored',
            294.35,
            'Value that was read from it at cell, or for `pixel` at location, in the unit that samplings states; null if it has none there',
          ),
          sha256: doc(
            z.string().nullable(),
            'SHA-256 of these bytes in hexadecimal digits; null if not recorded',
            '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          ),
          message: doc(
            z.string().nullable(),
            'Number of the message in the file, counted from 1 as in its index; null if not recorded',
            '71',
          ),
          v_byte_range: doc(
            z.tuple([index, index]).optional(),
            'Bytes of the second message: the northward component of a wind, the speed by which a direction is averaged, or the height of the ground that is subtracted from a ceiling',
            [1310720, 1572863],
          ),
          v_message: doc(z.string().nullish(), 'Number of the second message', '72'),
          v_sha256: doc(
            z.string().nullish(),
            'SHA-256 of the second message',
            '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
          ),
        }),
      )
      .describe('The GRIB2 messages that were read, each with one variable at one time'),
    samplings: z
      .array(
        z.object({
          dataset_id: member.dataset_id,
          variable: doc(z.string(), 'Variable of messages', 'temperature'),
          unit: doc(z.string(), 'Unit of the values of messages', 'K'),
          method: doc(
            z.string(),
            'bilinear (the four grid points around the centre of cell, without those that are missing or out of range), nearest (grid point), members (number of members that the message states), wind_speed and wind_direction (of the bilinear means of both components, turned to true north at the grid points), direction (of the bilinear mean of vectors with the direction, and the speed of the second message or 1)',
            'bilinear',
          ),
          quantum: measured(z.number().optional(), 'stored', 0.05, 'Step to which the value is rounded'),
          range: doc(
            z.array(measured(z.number(), 'stored', 180, 'Value')).optional(),
            'Least and greatest valid value',
            [180, 340],
          ),
          scale: measured(z.number().optional(), 'factor', 1000, 'value = native × scale + offset; 1 if absent'),
          offset: measured(z.number().optional(), 'stored', 273.15, '0 if absent'),
          missing: doc(
            z.array(measured(z.number(), 'factor', 20_000, 'Native value')).optional(),
            'Native values that mean that there is none',
            [20_000],
          ),
        }),
      )
      .describe('How values of messages follow from grid points, by dataset and variable'),
    origins: z
      .array(
        z.object({
          messages: doc(
            z.array(index.meta({ 'x-unit': '1', maximum: 1_000_000_000 })),
            'Indexes into messages, by valid time',
            [12],
          ),
          interpolation: doc(
            z.string(),
            'none, linear, smooth (a cubic that exceeds the two values around the hour by at most a fifth of the range of its values), direction (turns from the first to the second value by the second weight), nearest, pixel (the pixel of the radar at location), solar, split (a share of the amount of a longer interval), bound (a share of the probability of a longer interval)',
            'none',
          ),
          weights: doc(
            z.array(measured(z.number(), 'factor', 0.25, 'Weight')).optional(),
            'Weights of the values of messages, whose sum is the value; the value of the message if absent. Absent for bound',
            [0.25, 0.75],
          ),
          adjusted: doc(
            z.boolean().optional(),
            'Whether the value was changed afterwards to agree with other members, radar or measured amounts',
            true,
          ),
          steps: doc(
            z
              .array(
                z.object({
                  by: doc(z.string(), 'Step: blend, moisture, consistency, measured or nowcast', 'consistency'),
                  value: measured(z.number(), 'stored', 281.2, 'Value after the step'),
                }),
              )
              .optional(),
            'The changes in order, each with the value after it in the unit of the message: moisture, consistency, measured, nowcast (docs/CONSISTENCY.md has their rules)',
            [{ by: 'consistency', value: 281.2 }],
          ),
        }),
      )
      .describe('How values follow from messages'),
    hours_from: doc(
      z.string(),
      'Time of the first entry of each list of hours; the others follow by the hour',
      '2026-08-20T12:00:00Z',
    ),
    hours: doc(z.record(z.string(), z.array(index.nullable())), 'Indexes into origins, by field and hour', {
      temperature: [0, 0, 1],
    }),
    periods: z
      .record(
        z.string(),
        z.array(
          z.object({
            end: doc(z.string(), 'End of the interval', '2026-08-21T00:00:00Z'),
            origin: index.meta({
              description: 'Index into origins',
              'x-unit': '1',
              maximum: 1_000_000_000,
              examples: [12],
            }),
          }),
        ),
      )
      .describe(
        'Variables of 3 to 24 hours from which members of daily are computed: indexes into origins, by the end of the interval',
      ),
    nowcast: z
      .array(
        z.object({
          time: member.time,
          weight: measured(
            z.number(),
            'fraction',
            0.75,
            'Weight of the nowcast in the probability; the model has the rest',
          ),
          chance: measured(z.number().nullable(), 'percent', 80, 'Probability of the nowcast; null if it has none'),
          minutes: measured(z.int(), 'minutes', 42, 'Minutes that scans or steps of the nowcast describe'),
          amount: measured(
            z.number(),
            'millimetres',
            1.2,
            'Amount of these minutes; the model has its share of the others',
          ),
        }),
      )
      .describe('How radar and the nowcast were blended into the first hours: the step `nowcast` of origins'),
    nowcast_calibration: z
      .object({
        first_day: doc(z.iso.date(), 'First day, UTC', '2026-07-21'),
        last_day: doc(z.iso.date(), 'Last day, UTC: before the day of the nowcast', '2026-08-19'),
      })
      .optional()
      .describe(
        'Days whose scores the correction of the probabilities of the nowcast was learned from; absent if it has none',
      ),
    past: z
      .object({
        from: doc(
          z.string(),
          'Time of the first entry of each list; the others follow by the hour',
          '2026-08-20T06:00:00Z',
        ),
        hours: doc(z.record(z.string(), z.array(index.nullable())), 'Indexes into origins, by field and hour', {
          temperature: [0, 0, 1],
        }),
      })
      .optional()
      .describe('Origins of the rows that past_hours requests. Only with past_hours'),
    current: z
      .object({
        time: doc(z.string(), 'Valid time', '2026-08-20T18:00:00Z'),
        origins: doc(z.record(z.string(), index), 'Indexes into origins, by member of current', { temperature: 4 }),
      })
      .describe('Origins of the members of current'),
    members: z
      .array(memberOrigin)
      .describe(
        'Every member of the three sections: a field of hours, a computed member, or a member from an observing source',
      ),
  })
  .describe(
    'Where each number of current, hourly and daily comes from: tables, and indexes into them. Only with include=provenance',
  )

export type Provenance = z.infer<typeof provenanceSchema>
export type ProvenanceMember = z.infer<typeof memberOrigin>
