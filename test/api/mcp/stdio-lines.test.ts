import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readLine, StdioLines } from '../../../api/mcp/server/stdio-lines.ts'

const call = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })

function open() {
  const source = new PassThrough()
  const rejections: { id: unknown; error: { code: number } }[] = []
  const lines = new StdioLines(source, (answer) => rejections.push(answer))
  const read: string[] = []
  lines.input.on('data', (part: Buffer) => read.push(part.toString()))
  const ended = new Promise<void>((resolve) => lines.input.once('end', resolve))
  return { source, lines, rejections, read, ended }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('answers broken JSON with -32700 and other values with -32600, and passes messages on', async () => {
  const { source, lines, rejections, read, ended } = open()
  source.write(`{"jsonrpc":"2.0",\n${call(1)}\n[1,2]\n\n{"id":7}\nnull\r\n`)
  source.end(call(2))
  await turn()
  await turn()
  expect(rejections.map(({ error }) => error.code)).toEqual([-32700, -32600, -32600, -32600])
  expect(rejections.map(({ id }) => id)).toEqual([null, null, 7, null])
  expect(read.join('')).toBe(`${call(1)}\n${call(2)}\n`)
  lines.answered(1)
  lines.answered(2)
  await ended
})

test('ends only when every pending call is answered or cancelled', async () => {
  const { source, lines, ended } = open()
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  source.write(
    `${call(1)}\n${call(2)}\n${JSON.stringify({ jsonrpc: '2.0', id: 's', method: 'subscriptions/listen' })}\n`,
  )
  source.end(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })}\n`)
  for (let i = 0; i < 5; i++) await turn()
  expect(hasEnded).toBe(false)
  lines.answered(1)
  await ended
})

test('joins a line that comes in parts, and rejects a line that is too long', async () => {
  const { source, read, rejections } = open()
  const line = call(3)
  source.write(line.slice(0, 10))
  await turn()
  source.write(`${line.slice(10)}\n`)
  await turn()
  expect(read.join('')).toBe(`${line}\n`)
  // A line that ends in the same chunk does not end the connection.
  source.write(`${'x'.repeat(11 * 1024 * 1024)}\n${call(4)}\n`)
  await turn()
  await turn()
  expect(rejections.map(({ error }) => error.code)).toEqual([-32600])
  expect(read.join('')).toBe(`${line}\n${call(4)}\n`)
  source.write('x'.repeat(11 * 1024 * 1024))
  await turn()
  await turn()
  expect(rejections.map(({ error }) => error.code)).toEqual([-32600, -32600])
})

test('accepts answers of the client', () => {
  expect(readLine('{"jsonrpc":"2.0","id":1,"result":{}}')).toHaveProperty('message')
})
