import { z } from 'zod'
import { doc, measured } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'

const index = z.int().min(0)
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
          message: doc(
            z.string().nullable(),
            'Number of the message in the file, counted from 1 as in its index; null if not recorded',
            '71',
          ),
          v_byte_range: doc(
            z.tuple([index, index]).optional(),
            'Bytes of the second component, for a wind that is computed from two messages',
            [1310720, 1572863],
          ),
          v_message: doc(
            z.string().nullish(),
            'Number of the second message, for a wind that is computed from two messages',
            '72',
          ),
        }),
      )
      .describe('The GRIB2 messages that were read, each with one variable at one time'),
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
            'none, linear, smooth, direction, nearest, solar, split (a share of the amount of a longer interval), bound (a share of the probability of a longer interval)',
            'none',
          ),
          adjusted: doc(
            z.boolean().optional(),
            'Whether the value was changed afterwards to agree with other members, radar or measured amounts',
            true,
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
