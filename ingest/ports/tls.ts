import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import { certificateFault, type TlsNames } from '../domain/certificate-fault.ts'
import type { TlsFiles } from '../domain/connection-settings.ts'

const PROBE_TIMEOUT_MS = 3_000
/** With TLS 1.3 a server refuses a client certificate after the client has completed the handshake. */
const REFUSAL_MS = 500

/** Returns the content of the files as options of Node's TLS. */
export function tlsOptions({
  ca,
  certificate,
  key,
  serverName,
}: TlsFiles): Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername'> {
  return {
    ...(ca && { ca: readFileSync(ca, 'utf8') }),
    ...(certificate && { cert: readFileSync(certificate, 'utf8') }),
    ...(key && { key: readFileSync(key, 'utf8') }),
    ...(serverName && { servername: serverName }),
  }
}

/**
 * Connects to a server once, for libraries whose errors do not say why a connection failed.
 * @param address host:port
 * @returns what is wrong with a certificate and what to do; undefined if TLS works or the server is away
 */
export async function probeCertificates(address: string, tls: TlsFiles, names: TlsNames): Promise<string | undefined> {
  const { hostname, port } = new URL(`tls://${address}`)
  const host = hostname.replace(/^\[|\]$/g, '')
  const name = isIP(host) ? {} : { servername: host }
  let socket: ReturnType<typeof connect> | undefined
  const error = await new Promise<unknown>((resolve) => {
    const limit = setTimeout(resolve, PROBE_TIMEOUT_MS, undefined)
    const end = (result?: unknown) => {
      clearTimeout(limit)
      resolve(result)
    }
    try {
      socket = connect({ host, port: Number(port), ALPNProtocols: ['h2'], ...name, ...tlsOptions(tls) })
    } catch (refused) {
      end(refused)
    }
    socket?.on('error', end)
    socket?.on('secureConnect', () => setTimeout(end, REFUSAL_MS))
  })
  socket?.destroy()
  return certificateFault(error, names)
}
