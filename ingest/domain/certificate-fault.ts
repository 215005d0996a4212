/** Names of the settings that an operator changes after a certificate fault. */
export interface TlsNames {
  /** Setting with the address of the server. */
  readonly address: string
  readonly ca: string
  /** Absent: the connection has no client certificate. */
  readonly certificate?: string
  readonly key?: string
}

/** Codes of OpenSSL, as Node has them, of certificates whose issuer is not trusted. */
const UNKNOWN_ISSUER: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
/** Codes of answers that are not TLS. */
const NOT_TLS: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
])
/** Parts of the codes of a server's alerts about the client's certificate. */
const CLIENT_ALERTS = ['CERTIFICATE', 'UNKNOWN_CA', 'HANDSHAKE_FAILURE', 'ACCESS_DENIED']
/** Depth to which causes of an error are followed. */
const MAX_CAUSES = 6

interface TlsError {
  readonly code?: unknown
  readonly message?: unknown
  readonly reason?: unknown
  readonly cause?: unknown
  /** The certificate of the server, in Node's error of a wrong name. */
  readonly cert?: { readonly subjectaltname?: string }
}

/**
 * Returns what is wrong with a certificate and what to do about it; undefined if the error has another reason.
 * @param error an error of Node's TLS, also as a cause of an error
 */
export function certificateFault(error: unknown, names: TlsNames): string | undefined {
  for (let [inner, depth] = [error as TlsError | undefined, 0]; inner && depth < MAX_CAUSES; depth++) {
    const words = faultOfCode(String(inner.code ?? ''), inner, names)
    if (words) return words
    inner = inner.cause as TlsError | undefined
  }
  return undefined
}

function faultOfCode(code: string, { reason, message, cert }: TlsError, names: TlsNames): string | undefined {
  if (code === 'CERT_HAS_EXPIRED')
    return 'the certificate of the server has expired. Install a new certificate on the server, and check the clock of this machine.'
  if (code === 'CERT_NOT_YET_VALID')
    return 'the certificate of the server is not valid yet. Check the clocks of the server and of this machine.'
  if (code === 'CERT_REVOKED')
    return 'the certificate of the server is revoked. Install a new certificate on the server.'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of the server is for another name (${[String(reason ?? message), cert?.subjectaltname].filter(Boolean).join(' ')}). Use a name of the certificate in ${names.address}, or install a certificate for this name.`
  if (UNKNOWN_ISSUER.has(code))
    return `the certificate of the server is from a CA that this process does not trust (${code}). Let ${names.ca} name the PEM file of that CA.`
  if (NOT_TLS.has(code)) return `the server does not use TLS at this address. Check the port in ${names.address}.`
  if (code.startsWith('ERR_SSL_') && code.includes('ALERT') && CLIENT_ALERTS.some((part) => code.includes(part)))
    return clientFault(code, names)
  return undefined
}

function clientFault(code: string, { certificate, key }: TlsNames): string {
  const problem = `the server refuses the client certificate, or requires one (${code})`
  if (!certificate || !key) return `${problem}. This connection has no client certificate.`
  return `${problem}. Let ${certificate} and ${key} name a certificate that the server trusts and that has not expired, with its key.`
}
