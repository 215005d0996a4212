import { Connection, type TLSConfig } from '@temporalio/client'
import { type TemporalConnection, temporalTlsNames } from '../../ingest/domain/connection-settings.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { probeCertificates, tlsOptions } from '../../ingest/ports/tls.ts'

const CONNECT_TIMEOUT_MS = 5_000

interface ConnectionOptions {
  readonly address: string
  readonly tls?: TLSConfig
  readonly apiKey?: string
}

/** Returns the options that clients and workers of Temporal share. The files are read here. */
export function connectionOptions({ address, tls, apiKey }: TemporalConnection): ConnectionOptions {
  if (!tls) return { address }
  const { ca, cert, key, servername } = tlsOptions(tls)
  const bytes = (text: unknown) => Buffer.from(String(text))
  return {
    address,
    tls: {
      ...(ca && { serverRootCACertificate: bytes(ca) }),
      ...(cert && { clientCertPair: { crt: bytes(cert), key: bytes(key) } }),
      ...(servername && { serverNameOverride: servername }),
    },
    ...(apiKey && { apiKey }),
  }
}

/** @throws Fault Refused if the server does not answer, with the reason if it is a certificate */
export function connectClient(temporal: TemporalConnection): Promise<Connection> {
  return explained(temporal, () =>
    Connection.connect({ ...connectionOptions(temporal), connectTimeout: CONNECT_TIMEOUT_MS }),
  )
}

/** Calls `connect`. @throws Fault Refused if it fails */
export async function explained<T>(temporal: TemporalConnection, connect: () => Promise<T>): Promise<T> {
  const { address, tls } = temporal
  try {
    return await connect()
  } catch (error) {
    const reason = reasonsOf(error)
    const fault = tls && (await probeCertificates(address, tls, { address: 'TEMPORAL_ADDRESS', ...temporalTlsNames }))
    const isRefused = reason.toLowerCase().includes('unauthenticated') || reason.includes('PERMISSION_DENIED')
    const advice = isRefused
      ? 'Check TEMPORAL_API_KEY.'
      : tls
        ? `Check TEMPORAL_ADDRESS, ${tls.certificate ? 'that the server is running, and that it trusts the client certificate in TEMPORAL_TLS_CLIENT_CERT_PATH' : 'and that the server is running'}.`
        : 'Check TEMPORAL_ADDRESS, that the server is running, and whether it requires TEMPORAL_TLS=true.'
    throw new Fault('Refused', `Temporal at ${address} did not answer: ${fault ?? `${reason}. ${advice}`}`, {}, error)
  }
}

/** Returns the message of an error and of the errors that caused it: that of the connection hides the status of gRPC. */
function reasonsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${reasonsOf(error.cause)}`
}
