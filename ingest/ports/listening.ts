import { Fault } from '../domain/fault.ts'

/**
 * Explains why a server cannot listen.
 * @param setting name of the setting that has the port
 * @returns a fault that names the setting, or the error itself if it has another cause
 */
export function cannotListen(error: unknown, setting: string, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const why = reasons[code as keyof typeof reasons]
  if (!why) return error
  return new Fault('Invalid', `${setting} ${port}: cannot listen on ${host}, because ${why}`, { host, port }, error)
}

const reasons = {
  EADDRINUSE: 'another process listens there. Stop it, or set another port.',
  EACCES: 'this user has no permission. Set a port from 1024 on.',
  EADDRNOTAVAIL: 'this machine has no such address. Set HOST to an address of this machine.',
} as const
