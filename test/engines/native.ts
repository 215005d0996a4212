import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nth } from '../../ingest/domain/nth.ts'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)
const portNames = ['POSTGRES_PORT', 'KAFKA_PORT', 'KAFKA_CONTROLLER_PORT', 'TEMPORAL_PORT', 'S3_PORT', 'SQS_PORT']

/** Ports that are free now, by the names that infra/native/up takes. */
export async function freePorts(): Promise<Record<string, string>> {
  const servers = portNames.map(() => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))))
  const ports = servers.map((server) => String((server.address() as { port: number }).port))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return Object.fromEntries(portNames.map((name, index) => [name, nth(ports, index)]))
}

/** Starts the engines of the folder that are not running, and returns the settings. */
export async function up(
  folder: string,
  engines: readonly string[] = [],
  ports: Record<string, string> = {},
): Promise<Record<string, string>> {
  const { stdout } = await run(join(root, 'infra/native/up'), [folder, ...engines], {
    env: { ...process.env, ...ports },
    maxBuffer: 1 << 24,
  })
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

export async function down(folder: string, engines: readonly string[] = [], { kill = false } = {}): Promise<void> {
  await run(join(root, 'infra/native/down'), [...(kill ? ['--kill'] : []), folder, ...engines])
}
