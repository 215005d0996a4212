/**
 * Requests answers over sockets, one at a time on each, and parses only Content-Length, so that the client costs less than the server.
 *   node test/bench/socket-client.ts PORT SECONDS [CONNECTIONS=64] [COUNT], the requests on stdin
 * It ends after COUNT answers, or after the next answer at SIGTERM. Prints {answers, seconds, statuses, p50, p95, p99}, the last three in ms.
 */

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { nth } from '../../ingest/domain/nth.ts'

export interface Load {
  readonly answers: number
  readonly seconds: number
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

const [port, seconds, connections = 64, count = Infinity] = process.argv.slice(2).map(Number) as [number, number]
const requests = readFileSync(0, 'latin1')
  .split('\r\n\r\n')
  .filter(Boolean)
  .map((head) => `${head}\r\n\r\n`)
const began = performance.now()
let end = began + seconds * 1000
process.on('SIGTERM', () => (end = 0))
const statuses: Record<string, number> = {}
const times: number[] = []
let requestCount = 0

await Promise.all(
  Array.from(
    { length: connections },
    () =>
      new Promise<void>((resolve, reject) => {
        let sent = 0
        const ask = () => {
          sent = performance.now()
          socket.write(nth(requests, requestCount++ % requests.length))
        }
        const socket = connect(port, '127.0.0.1', ask)
        socket.setNoDelay(true)
        let missing = -1
        let head = ''
        socket.on('error', reject).on('data', (data: Buffer) => {
          let unread = data
          while (unread.length > 0) {
            if (missing < 0) {
              head += unread.toString('latin1')
              const stop = head.indexOf('\r\n\r\n')
              if (stop < 0) return
              const status = head.slice(9, 12)
              statuses[status] = (statuses[status] ?? 0) + 1
              unread = Buffer.from(head.slice(stop + 4), 'latin1')
              const length = /content-length: (\d+)/i.exec(head)
              if (!length) throw new Error(`without Content-Length: ${head.slice(0, stop)}`)
              missing = Number(length[1])
              head = ''
            }
            const bodyLength = Math.min(missing, unread.length)
            missing -= bodyLength
            unread = unread.subarray(bodyLength)
            if (missing > 0) continue
            missing = -1
            times.push(performance.now() - sent)
            if (performance.now() < end && requestCount < count) ask()
            else {
              socket.destroy()
              return resolve()
            }
          }
        })
      }),
  ),
)
const took = (performance.now() - began) / 1000
times.sort((a, b) => a - b)
const at = (share: number) => Math.round(1000 * nth(times, Math.floor(share * (times.length - 1)))) / 1000
console.log(
  JSON.stringify({
    answers: times.length,
    seconds: took,
    statuses,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  } satisfies Load),
)
