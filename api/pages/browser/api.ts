import type { components } from '../../client/schema.generated.ts'

type Schemas = components['schemas']
export type Weather = Schemas['Weather']
export type Hour = Schemas['Hour']
export type Day = Schemas['Day']
export type Alert = Schemas['Alert']
export type Units = Schemas['Units']
export type Nowcast = Schemas['Nowcast']

export interface Match {
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
