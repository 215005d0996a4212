import { setTimeout as wait } from 'node:timers/promises'
import { Fault } from '../../ingest/domain/fault.ts'

const ATTEMPTS = 5
const REQUEST_MS = 60_000
const MAX_WAIT_SECONDS = 60

/** Reads JSON from a running server. */
export type ReadJson = <T>(path: string, body?: object) => Promise<T>

/**
 * Returns a function that requests JSON, and waits and tries again where the server is busy, a limit is used up, or no connection is made.
 * @throws Fault Refused with the problem's detail after five attempts, Invalid where the server rejects the request
 */
export function serverAt(base: string, key: string): ReadJson {
  return async <T>(path: string, body?: object) => {
    let reason = ''
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const response = await fetch(base + path, {
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(REQUEST_MS),
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }).catch((error: Error) => error)
      if (!(response instanceof Error)) {
        if (response.ok) return (await response.json()) as T
        const { detail = '' } = (await response.json().catch(() => ({}))) as { detail?: string }
        reason = `HTTP ${response.status}${detail && `: ${detail}`}`
        if (response.status < 500 && response.status !== 429) throw new Fault('Invalid', reason.replace(/\.$/, ''))
      } else reason = response.message
      const seconds = response instanceof Error ? attempt : Number(response.headers.get('retry-after')) || attempt
      if (attempt < ATTEMPTS) await wait(Math.min(MAX_WAIT_SECONDS, seconds) * 1000)
    }
    throw new Fault('Refused', `${base} could not be read: ${reason.replace(/\.$/, '')}. Try again.`)
  }
}
