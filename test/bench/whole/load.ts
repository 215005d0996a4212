import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Load } from '../socket-client.ts'

/** Sends requests one after the other over each connection, from its own process. @param count number of answers @param until ends the load when it resolves */
export function ask(
  port: number | string,
  requests: string,
  {
    seconds,
    connections,
    count = Number.POSITIVE_INFINITY,
    until,
  }: { seconds: number; connections: number; count?: number; until?: Promise<unknown> },
): Promise<Load> {
  const client = fileURLToPath(new URL('../socket-client.ts', import.meta.url))
  const words = [client, port, seconds, connections, count].map(String)
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(requests)
  const end = () => child.kill()
  until?.then(end, end)
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (part) => (text += part))
    child.on('exit', () => (text ? resolve(JSON.parse(text) as Load) : reject(new Error('the client printed nothing'))))
  })
}
