import { nth } from '../../../ingest/domain/nth.ts'
import type { Load } from '../socket-client.ts'
import { ask } from './load.ts'
import { proportionalOf, type Use, usesOf } from './processes.ts'

/** Processor time of a process and its children so far, s, and the sum of their peak memory, MB. */
export function useSince(root: number): { processor: number; peak: number } {
  const uses = [...usesOf(root).values()]
  const sum = (read: (use: Use) => number) => uses.reduce((total, use) => total + read(use), 0)
  return { processor: sum(({ processor }) => processor), peak: sum(({ peak }) => peak) }
}

/** Memory by process and minute, sampled four times a second. */
export class MemoryTable {
  readonly #root: number
  readonly #timer: NodeJS.Timeout
  readonly #minutes: Map<number, number>[] = []
  #uses: ReadonlyMap<number, Use> = new Map()
  /** Largest resident memory of all processes at one moment so far, MB; shared pages count once. */
  most = 0

  constructor(root: number, seconds: () => number) {
    this.#root = root
    this.#timer = setInterval(() => {
      this.#uses = usesOf(root)
      const minute = (this.#minutes[Math.floor(seconds() / 60)] ??= new Map())
      for (const [pid, { resident }] of this.#uses) minute.set(pid, Math.max(resident, minute.get(pid) ?? 0))
      this.most = Math.max(this.most, proportionalOf(this.#uses.keys()))
    }, 250)
  }

  processes(): readonly { pid: number; name: string }[] {
    return [...usesOf(this.#root)].map(([pid, { name }]) => ({ pid, name }))
  }

  /** Resident memory of all processes, MB; shared pages count once. */
  now(): number {
    return proportionalOf(usesOf(this.#root).keys())
  }

  lines(): string[] {
    const minutes = this.#minutes.map((_, minute) => minute).filter((minute) => this.#minutes[minute])
    return [
      `\n| MB, at most of each minute | ${minutes.map((minute) => minute + 1).join(' | ')} | peak | now |`,
      `|---|${minutes.map(() => '---').join('|')}|---|---|`,
      ...[...this.#uses].map(([pid, { name, peak, resident }]) => {
        const cells = minutes.map((minute) => nth(this.#minutes, minute).get(pid)?.toFixed(0) ?? '')
        return `| ${name} | ${cells.join(' | ')} | ${peak.toFixed(0)} | ${resident.toFixed(0)} |`
      }),
      `all, shared pages once: now ${this.now().toFixed(0)} MB, at one moment at most ${this.most.toFixed(0)}`,
    ]
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

/** The cost of answers. */
export interface Cost {
  readonly text: string
  readonly cold: { readonly p50: number; readonly p95: number; readonly p99: number }
  /** Requests a second. */
  readonly cached: number
}

export const textOf = ({ p50, p95, p99, statuses }: Load) =>
  `p50 ${p50}, p95 ${p95}, p99 ${p99} ms ${JSON.stringify(statuses)}`

const COLD = 1500
const CONNECTIONS = 50
const SECONDS = 5

/** Returns the request for answers of a place. */
export interface AnswerRequests {
  path(where: string): string
  /** Keys, which take turns. */
  readonly headers: readonly string[]
}

/** Returns requests for distinct places, beginning with this number. */
function requestsFrom({ path, headers }: AnswerRequests): (first: number, count: number) => string {
  return (first, count) =>
    Array.from({ length: count }, (_, i) => {
      const at = (origin: number, width: number, step: number) =>
        (origin + width * (((first + i) * step) % 1)).toFixed(4)
      const where = `lat=${at(34, 9, 0.7548776662)}&lon=${at(-116, 26, 0.5698402909)}`
      return `GET ${path(where)} HTTP/1.1\r\nHost: localhost\r\n${headers[i % headers.length]}\r\n`
    }).join('')
}

/** Largest number of cold answers during other work. */
const MEANWHILE = 60_000

/** Requests cold answers of distinct points over one connection for the duration of `work`. */
export async function answersWhile(
  port: string | number,
  answerRequests: AnswerRequests,
  work: Promise<unknown>,
): Promise<Load> {
  // These places differ from those of `answers`.
  return ask(port, requestsFrom(answerRequests)(100_000, MEANWHILE), {
    seconds: 300,
    connections: 1,
    count: MEANWHILE,
    until: work,
  })
}

/** Requests cold answers of distinct points over one connection, then cached answers of fifty points over fifty connections. */
export async function answers(port: string | number, answerRequests: AnswerRequests): Promise<Cost> {
  const requests = requestsFrom(answerRequests)
  // The first answers compile the code.
  await ask(port, requests(0, 500), { seconds: 60, connections: 1, count: 500 })
  const cold = await ask(port, requests(500, COLD), { seconds: 60, connections: 1, count: COLD })
  const many = requests(500 + COLD, 50)
  await ask(port, many, { seconds: 1, connections: CONNECTIONS })
  const cached = await ask(port, many, { seconds: SECONDS, connections: CONNECTIONS })
  const rate = cached.answers / cached.seconds
  return {
    text: `cold, one connection: ${textOf(cold)}; cached, ${CONNECTIONS} connections: ${Math.round(rate)}/s ${JSON.stringify(cached.statuses)}`,
    cold,
    cached: rate,
  }
}
