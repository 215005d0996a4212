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

/** A problem document of the server. */
export class Failure extends Error {
  readonly type: string
  readonly candidates: readonly string[]
  constructor(body: { type?: string; title?: string; detail?: string; candidates?: string[] }) {
    super(body.detail ?? body.title ?? 'The server gave no answer that can be read.')
    this.type = body.type ?? ''
    this.candidates = body.candidates ?? []
  }
}

export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { headers: { accept: 'application/json' }, signal: signal ?? null })
  const body = await response.json().catch(() => ({}))
  if (!response.ok) throw new Failure(body)
  return body as T
}

/** Answers that are asked for ahead of a choice: few, since each is a whole forecast. */
const MAX_AHEAD = 4
const AHEAD_MS = 30_000

export interface AheadReader {
  /** Asks for an answer that the visitor is about to want: a link under the pointer, a suggestion that is marked. */
  prepare(path: string): void
  /** As `read`, or the answer that was asked for ahead, once. */
  read<T>(path: string): Promise<T>
}

export function aheadReader(): AheadReader {
  const ahead = new Map<string, { readonly at: number; readonly answer: Promise<unknown> }>()
  const fresh = (path: string) => {
    const found = ahead.get(path)
    return found && Date.now() - found.at < AHEAD_MS ? found.answer : undefined
  }
  return {
    prepare(path) {
      if (fresh(path)) return
      ahead.delete(path)
      const answer = read(path)
      // A failure is asked for again when it is wanted.
      answer.catch(() => ahead.delete(path))
      ahead.set(path, { at: Date.now(), answer })
      if (ahead.size > MAX_AHEAD) ahead.delete(ahead.keys().next().value!)
    },
    async read<T>(path: string) {
      const early = fresh(path)
      ahead.delete(path)
      return ((await early?.catch(() => undefined)) ?? (await read<T>(path))) as T
    },
  }
}

const INCLUDE = 'current,hourly,daily,alerts,outlooks,astro,narrations,nowcast,guidance,metar'

/** The query of a place's weather, for the page's own read and for the request that it shows. */
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
