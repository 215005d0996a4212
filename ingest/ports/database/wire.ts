import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'
import { nth } from '../../domain/nth.ts'

/** Maximum size of a message on the socket, in both directions. */
const MAX_MESSAGE_BYTES = 512 << 20

/**
 * Sends a message on a stream socket: four bytes of length, then the value in V8 serialization, which preserves dates, bytes and bigints.
 */
export function sendMessage(socket: Socket, message: unknown): void {
  const body = serialize(message)
  const head = Buffer.allocUnsafe(4)
  head.writeUInt32LE(body.length)
  socket.cork()
  socket.write(head)
  socket.write(body)
  socket.uncork()
}

export function onMessages(socket: Socket, onMessage: (message: never) => void): void {
  let parts: Buffer[] = []
  let buffered = 0
  socket.on('data', (part: Buffer) => {
    parts.push(part)
    buffered += part.length
    while (buffered >= 4) {
      if (nth(parts, 0).length < 4) parts = [Buffer.concat(parts)]
      const length = nth(parts, 0).readUInt32LE()
      if (length > MAX_MESSAGE_BYTES) {
        socket.destroy(
          new Error(
            `database socket: a message must have at most ${MAX_MESSAGE_BYTES} bytes, but has ${length}. Read or write less in one statement.`,
          ),
        )
        return
      }
      if (buffered < 4 + length) return
      const buffer = Buffer.concat(parts)
      onMessage(deserialize(buffer.subarray(4, 4 + length)) as never)
      const tail = buffer.subarray(4 + length)
      parts = tail.length ? [tail] : []
      buffered = tail.length
    }
  })
}
