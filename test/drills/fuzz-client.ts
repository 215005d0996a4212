/** Sends seeded requests and reports violated invariants and the operations that answered without an error. */

import { Agent, request as send } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { nth } from '../../ingest/domain/nth.ts'
import { type CallJob, callOf, type Sent, seedCalls } from './fuzz-calls.ts'
import { Known } from './fuzz-known.ts'

export interface FuzzJob extends CallJob {
  readonly base: string
  readonly seed: number
  readonly requests: number
  readonly seconds: number
  /** The client posts 'part' after each of this many parts of its time or requests. */
  readonly parts: number
}

export interface FuzzReport {
  readonly sent: number
  readonly seconds: number
  readonly statuses: Readonly<Record<string, number>>
  /** Number of answers without an error, by operation and tool. */
  readonly answered: Readonly<Record<string, number>>
  /** A violated invariant, with the request in a form that can be sent again, and the answer. */
  readonly broken: readonly string[]
  /** The five slowest calls. */
  readonly slowest: readonly string[]
}

/** Interval at which paths are looked up again, ms, because runs and scans change. */
const LOOK_MS = 20_000

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

function exchange(base: string, call: Sent): Promise<{ status: number; type: string; text: string }> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const headers =
      call.body === undefined
        ? call.headers
        : { ...call.headers, 'content-length': String(Buffer.byteLength(call.body)) }
    const sent = send({ hostname, port, agent, method: call.method, path: call.path, headers }, (response) => {
      const parts: Buffer[] = []
      const progress = () =>
        resolve({
          status: response.statusCode ?? 0,
          type: String(response.headers['content-type'] ?? ''),
          text: Buffer.concat(parts).toString('utf8'),
        })
      // A stream does not end, so only its head is checked.
      if (
        String(response.headers['content-type']).startsWith('text/event-stream') &&
        call.path.startsWith('/v1/events')
      ) {
        progress()
        return void sent.destroy()
      }
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', progress)
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.setTimeout(30_000, () => sent.destroy(new Error('no answer within 30 s')))
    sent.end(call.body)
  })
}

function wrong(call: Sent, { status, type, text }: { status: number; type: string; text: string }): string | undefined {
  // The server has not read any feed yet, and reports that.
  const unread = status === 503 && (call.path.startsWith('/readyz') || text.includes('has not been read yet'))
  if (status >= 500 && !unread) return `status ${status}`
  if (text.includes('"code":-32603')) return 'an internal error of a tool'
  if (
    status >= 400 &&
    call.method !== 'HEAD' &&
    !type.startsWith('application/problem+json') &&
    !(call.path.startsWith('/mcp') && text.includes('"jsonrpc":"2.0"') && text.includes('"error":{"code":-32'))
  )
    return `status ${status} as ${type}`
  // Unicode marks that reverse the direction of text must not be echoed.
  return status >= 400 && /[\u202a-\u202e\u2066-\u2069]/.test(text) ? 'a direction mark in a problem' : undefined
}

async function run(job: FuzzJob): Promise<FuzzReport> {
  seedCalls(job.seed)
  const knownPaths = new Known(job.base, nth(job.keys, 0))
  await knownPaths.look()
  let looked = performance.now()
  const answered: Record<string, number> = {}
  const began = performance.now()
  const until = began + job.seconds * 1000
  let parts = 0
  const statuses: Record<string, number> = {}
  const broken: string[] = []
  let slowest: { ms: number; call: string }[] = []
  let sent = 0
  const lane = async () => {
    while (sent < job.requests && performance.now() < until && broken.length < 50) {
      sent++
      const progress = Math.max(sent / job.requests, (performance.now() - began) / (job.seconds * 1000))
      // The last part is posted at the end.
      if (progress * job.parts >= parts + 1 && parts < job.parts - 1) {
        parts++
        parentPort?.postMessage('part')
      }
      if (performance.now() - looked > LOOK_MS) {
        looked = performance.now()
        // A failed lookup keeps the known paths.
        void knownPaths.look().catch(() => undefined)
      }
      const unanswered = job.operations.filter(({ method, path }) => !answered[`${method} ${path}`])
      const call = callOf(job, knownPaths, sent - 1, unanswered)
      const startedAt = performance.now()
      try {
        const reply = await exchange(job.base, call)
        const ms = Math.round(performance.now() - startedAt)
        if (slowest.length < 5 || ms > nth(slowest, 4).ms) {
          slowest.push({ ms, call: `${call.method} ${call.path.slice(0, 120)} ${call.body?.slice(0, 200) ?? ''}` })
          slowest = slowest.sort((a, b) => b.ms - a.ms).slice(0, 5)
        }
        statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
        const isAnswered = reply.status < 300 || reply.status === 302
        if (isAnswered && !/"isError":true|"error":\{"code"/.test(reply.text)) {
          answered[call.operationName] = (answered[call.operationName] ?? 0) + 1
          knownPaths.learn(call, reply.text)
        }
        const fault = wrong(call, reply)
        if (fault)
          broken.push(
            `${fault}: ${call.method} ${call.path.slice(0, 400)} ${call.body?.slice(0, 400) ?? ''} → ${reply.text.slice(0, 300)}`,
          )
      } catch (error) {
        broken.push(
          `${(error as Error).message}: ${call.method} ${call.path.slice(0, 400)} ${call.body?.slice(0, 300) ?? ''}`,
        )
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  agent.destroy()
  parentPort?.postMessage('part')
  return {
    sent,
    seconds: (performance.now() - began) / 1000,
    statuses,
    answered,
    broken,
    slowest: slowest.map(({ ms, call }) => `${ms} ms ${call}`),
  }
}

parentPort?.postMessage(await run(workerData as FuzzJob))
