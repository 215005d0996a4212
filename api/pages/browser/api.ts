import type { components } from '../../client/schema.generated.ts'

type Schemas = components['schemas']
export type PageWeather = Schemas['Weather']
export type Hour = Schemas['Hour']
export type Day = Schemas['Day']
export type Alert = Schemas['Alert']
export type AnswerUnits = Schemas['Units']
export type Nowcast = Schemas['Nowcast']

export interface SearchMatch {
  readonly kind: string
  readonly name: string
  readonly region: string
  readonly county?: string
  readonly feature?: string
  readonly lat: number
  readonly lon: number
}

/** An error with the problem document that the server sent. */
export class Failure extends Error {
  readonly type: string
  readonly candidates: readonly string[]
  constructor(body: { type?: string; title?: string; detail?: string; candidates?: string[] }) {
    super(body.detail ?? body.title ?? 'The server gave no answer that can be read.')
    this.type = body.type ?? ''
    this.candidates = body.candidates ?? []
  }
}

/** Reads JSON. @throws Failure if the status is not a success */
export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { headers: { accept: 'application/json' }, signal: signal ?? null })
  const body = await response.json().catch(() => ({}))
  if (!response.ok) throw new Failure(body)
  return body as T
}

/** Number of answers that are requested ahead of a choice; each is a whole forecast. */
const MAX_AHEAD = 4
const AHEAD_MS = 30_000

export interface AheadReader {
  /** Requests an answer that the visitor will probably need: for a link under the pointer or a marked suggestion. */
  prepare(path: string): void
  /** Like `read`, but uses the answer that was requested ahead, once. */
  read<T>(path: string): Promise<T>
}

export function aheadReader(): AheadReader {
  const ahead = new Map<string, { readonly at: number; readonly answer: Promise<unknown> }>()
  const preparedAnswer = (path: string) => {
    const prepared = ahead.get(path)
    return prepared && Date.now() - prepared.at < AHEAD_MS ? prepared.answer : undefined
  }
  return {
    prepare(path) {
      if (preparedAnswer(path)) return
      ahead.delete(path)
      const answer = read(path)
      // After a failure the answer is requested again when it is needed.
      answer.catch(() => ahead.delete(path))
      ahead.set(path, { at: Date.now(), answer })
      const [oldest] = ahead.keys()
      if (oldest !== undefined && ahead.size > MAX_AHEAD) ahead.delete(oldest)
    },
    async read<T>(path: string) {
      const early = preparedAnswer(path)
      ahead.delete(path)
      return ((await early?.catch(() => undefined)) ?? (await read<T>(path))) as T
    },
  }
}

const INCLUDE = 'current,hourly,daily,alerts,outlooks,astro,narrations,nowcast,guidance,metar'

/** The query for the weather of a place, which the page uses itself and shows as an API request. */
export function weatherQuery(selector: Readonly<Record<string, string>>, units: string): URLSearchParams {
  return new URLSearchParams({
    ...selector,
    units,
    include: INCLUDE,
    alert_detail: 'full',
    hourly_hours: '48',
    days: '10',
  })
}
