/**
 * Counts answers over 64 sockets without parsing more than Content-Length: a client that costs less than the server.
 *   node test/bench/socket-client.ts PORT SECONDS, the request on stdin
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

const [port, seconds] = process.argv.slice(2).map(Number) as [number, number]
const request = readFileSync(0)
const end = Date.now() + seconds * 1000
let answers = 0

await Promise.all(
  Array.from(
    { length: 64 },
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(request))
        let missing = -1
        let head = ''
        socket.on('error', reject).on('data', (data: Buffer) => {
          let rest = data
          while (rest.length > 0) {
            if (missing < 0) {
              head += rest.toString('latin1')
              const stop = head.indexOf('\r\n\r\n')
              if (stop < 0) return
              if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.slice(0, stop))
              rest = Buffer.from(head.slice(stop + 4), 'latin1')
              missing = Number(/content-length: (\d+)/i.exec(head)![1])
              head = ''
            }
            const taken = Math.min(missing, rest.length)
            missing -= taken
            rest = rest.subarray(taken)
            if (missing > 0) continue
            missing = -1
            answers++
            if (Date.now() < end) socket.write(request)
            else {
              socket.destroy()
              return resolve()
            }
          }
        })
      }),
  ),
)
console.log(answers)
