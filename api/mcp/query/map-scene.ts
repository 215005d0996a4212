import { z } from 'zod'
import { ToolError } from '../protocol/error.ts'
import { geojson } from './map-geojson.ts'

const severity = z.enum(['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'])
const words = z.array(z.string().min(1).max(300)).max(100)
const common = {
  onError: z.literal('skip').optional(),
  opacity: z.number().min(0).max(1).optional(),
  time: z.number().int().min(0).max(4102444800).optional(),
}
const alertFilter = z.strictObject({
  ids: words.optional(),
  events: words.optional(),
  severities: z.array(severity).max(5).optional(),
  minSeverity: severity.optional(),
})
const layer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('weather'), product: z.string().min(1).max(80).optional(), ...common }),
  z.strictObject({ type: z.literal('alerts'), filter: alertFilter.optional(), ...common }),
  z.strictObject({ type: z.literal('storms'), ...common }),
  z.strictObject({
    type: z.literal('outlooks'),
    product: z.enum(['spc', 'spc-outlooks', 'spc-fire']).optional(),
    day: z.number().int().min(1).max(8).optional(),
    ...common,
  }),
  z.strictObject({ type: z.literal('geojson'), data: geojson, ...common }),
])
const scene = z.strictObject({
  scene: z.union([z.literal('1'), z.literal(1)]).optional(),
  view: z.strictObject({
    center: z.strictObject({ lat: z.number().min(-84).max(84), lon: z.number().min(-180).max(180) }),
    zoom: z.number().min(2).max(14).default(7),
  }),
  layers: z.array(layer).min(1).max(10),
})

export type SceneLayer = z.output<typeof layer>
export type SceneAlertFilter = z.output<typeof alertFilter>
export type Scene = z.output<typeof scene>

/** Returns a scene document after a check of all its members. @throws ToolError bad-request with the path of each fault */
export function readScene(document: unknown): Scene {
  const parsed = scene.safeParse(document)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.slice(0, 5).map((issue) => {
    const path = pathOf(issue.path)
    const value = issue.path.reduce<unknown>(
      (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
      document,
    )
    if (issue.code === 'unrecognized_keys')
      return {
        path: `${path}.${issue.keys[0]?.slice(0, 40)}`,
        text: `is not a known member`,
        got: issue.keys[0]?.slice(0, 40),
      }
    const gotWords = value === undefined ? 'absent' : (JSON.stringify(value) ?? String(value)).slice(0, 60)
    return { path, text: `${expectationOf(issue)}, but was ${gotWords}`, got: gotWords }
  })
  throw new ToolError(
    'bad-request',
    faults.map(({ path, text }) => `${path} ${text}.`).join(' '),
    'correct the scene and call again; hexcast://guide describes its members.',
    { field: faults[0]?.path, got: faults[0]?.got },
  )
}

const pathOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`), 'scene')

function expectationOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'array' ? ' items' : ''}`
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'array' ? ' items' : ''}`
    case 'invalid_union':
      return `must be one of ${'options' in issue && Array.isArray(issue.options) ? issue.options.join(', ') : 'the known types'}`
    default:
      return issue.message
  }
}
