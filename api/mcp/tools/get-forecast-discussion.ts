import { z } from 'zod'
import type { ToolContext } from '../protocol/context.ts'
import * as shape from '../protocol/input.ts'
import { type ToolResult, tool } from '../protocol/tool.ts'
import { type TextInput, type TextProductRow, textsFor } from '../query/texts.ts'
import { absence, certainAbsence } from '../words/absence.ts'
import { quoted, quotedFields } from '../words/quote.ts'
import { localTime, plainMeta, reply } from '../words/reply.ts'

const common = {
  ...shape.place,
  wfo: z.string().min(3).max(4).optional().describe('Office (BOU) instead of that of the place.'),
  limit: z.number().int().min(1).max(10).default(1).describe('Issues; above 1 earlier ones too.'),
  summary_only: z.boolean().default(false).describe('Without body.'),
}

const output = z.object({
  location: shape.location.optional(),
  type: z.string(),
  products: z.array(
    z.looseObject({
      id: z.string(),
      issued_at: z.string(),
      summary: z.string().nullable(),
      sections: z.record(z.string(), z.string()),
    }),
  ),
  meta: shape.meta,
})

const titles: Readonly<Record<TextInput['type'], string>> = {
  afd: 'area forecast discussion',
  hwo: 'hazardous weather outlook',
  now: 'short-term forecast',
  hls: 'hurricane local statement',
  mcd: 'mesoscale discussion',
  mpd: 'mesoscale precipitation discussion',
  pmd: 'national discussion',
  swo: 'convective outlook text',
}

export const getForecastDiscussion = tool({
  name: 'get_forecast_discussion',
  title: 'Get forecaster discussion',
  description:
    'What forecasters wrote and how sure they are: discussion (afd) or hazardous weather outlook (hwo) of the office of a US place, SPC mesoscale discussions there (mcd): "how confident is the forecast". Warnings: get_alerts; numbers: get_forecast_distribution.',
  input: z.strictObject({ type: z.enum(['afd', 'hwo', 'mcd']).describe('Text.'), ...common }),
  output,
  run: (input, context) => answer(input, context),
})

export const getTextProducts = tool({
  name: 'get_text_products',
  title: 'Get forecast text products',
  description:
    'Other forecaster texts: short-term forecast (now), hurricane local statement (hls), flash-flood discussions (mpd) of a US place, national discussions (pmd), SPC outlook texts (swo): "what is the national outlook". Outlook areas: get_severe_outlook.',
  input: z.strictObject({ type: z.enum(['now', 'hls', 'mpd', 'pmd', 'swo']).describe('Text.'), ...common }),
  output,
  run: (input, context) => answer(input, context),
})

/** Returns the days of an outlook text in words. The text for day 4 covers days 4 to 8. */
const outlookDays = (day: number | undefined) =>
  day === undefined ? undefined : day === 4 ? 'of days 4 to 8' : `of day ${day}`

/** Returns key messages, or the main message, and how sure the forecasters are. */
function discussionText({ sections, key_takeaway, summary, confidence, day_one }: TextProductRow): string {
  const messages = sections['key_messages'] ?? key_takeaway ?? day_one ?? summary ?? ''
  return confidence && !messages.includes(confidence) ? `${messages}\nConfidence: ${confidence}` : messages
}

/** Products in the text block; the data has all products. */
const MAX_LINES = 8
/** Characters of all quoted messages together. */
const QUOTED_LENGTH = 1100

async function answer(input: TextInput, context: ToolContext): Promise<ToolResult> {
  const { spot, wfo, products, more, warnings, freshness } = await textsFor(input, context)
  const title = titles[input.type]
  const where = spot ? spot.location.name : (wfo ?? 'the country')
  const zone = spot?.timezone ?? 'UTC'
  const lines =
    products.length === 0
      ? [
          absence(
            'texts',
            { title, where: spot ? `here (${where})` : `for ${where}`, asOf: `as of ${localTime(context.now, zone)}` },
            warnings[0] && (warnings[0].detail ?? 'the lists of texts could not be read'),
          ),
        ]
      : products.slice(0, MAX_LINES).flatMap((product) => {
          const { mcd_number, mpd_number, pmd_desk, expires_at, has_active_hazards } = product
          const number = outlookDays(product.day) ?? mcd_number ?? mpd_number ?? pmd_desk
          const name = [product.wfo, title, number].filter((part) => part !== undefined && part !== null).join(' ')
          const until = expires_at ? `, until ${localTime(expires_at, zone)}` : ''
          return [
            `${name}, issued ${localTime(product.issued_at, zone)}${until}${has_active_hazards === false ? `, ${certainAbsence('hazards', {})}` : ''}:`,
            ...quoted(
              `NWS, ${name}`,
              discussionText(product),
              Math.floor(QUOTED_LENGTH / Math.min(MAX_LINES, products.length)),
            ),
          ]
        })
  if (more > 0)
    lines.push(
      `${more} more ${more === 1 ? 'is' : 'are'} in effect ${spot ? 'here' : `for ${where}`}: call again with limit ${Math.min(10, products.length + more)}.`,
    )
  if (products.length > MAX_LINES) lines.push(`${products.length - MAX_LINES} more in data.`)
  return reply({
    structured: { ...(spot && { location: spot.location }), type: input.type, products },
    lines,
    meta: plainMeta(context, ['nws-texts'], { warnings, freshness, spots: [spot] }),
    quotes: quotedFields(
      'NWS texts',
      ...['summary', 'sections', 'body', 'key_takeaway', 'confidence', 'day_one', 'concerning', 'areas_affected'].map(
        (name) => `products[].${name}`,
      ),
    ),
  })
}
