import { errors } from 'oidc-provider'
import { isPlainText } from '../query/printable.ts'

/** Client metadata, registered or published (RFC 7591). */
type Metadata = Record<string, unknown>

const MAX_REDIRECT_URIS = 10
const MAX_URI_LENGTH = 2000
const MAX_NAME_LENGTH = 200
const loopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host)

/** Checks a client name. It appears in pages and mails, so it must not have line breaks or addresses (phishing). @throws InvalidClientMetadata */
function checkName(name: unknown): void {
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH) {
    throw new errors.InvalidClientMetadata(`client_name must be a text of at most ${MAX_NAME_LENGTH} characters`)
  }
  if (!isPlainText(name) || /[\u2028\u2029]/.test(name)) {
    throw new errors.InvalidClientMetadata('client_name must be text without control characters')
  }
  if (/:\/\/|www\.|@|\.[a-z]{2,24}\//i.test(name)) {
    throw new errors.InvalidClientMetadata('client_name must not contain an address')
  }
}

/**
 * Checks the metadata of a client: redirect URIs must be https or loopback, few and short. Removes a client secret.
 * @throws InvalidRedirectUri, InvalidClientMetadata
 */
export function checkClientMetadata(metadata: Metadata, registered: boolean): void {
  const uris = metadata['redirect_uris']
  if (Array.isArray(uris)) {
    if (uris.length > MAX_REDIRECT_URIS) {
      throw new errors.InvalidRedirectUri(
        `redirect_uris must have at most ${MAX_REDIRECT_URIS} entries, but has ${uris.length}`,
      )
    }
    for (const uri of uris) {
      const url = typeof uri === 'string' && uri.length <= MAX_URI_LENGTH ? URL.parse(uri) : null
      const isAllowed = url && (url.protocol === 'https:' || (url.protocol === 'http:' && loopback(url.hostname)))
      if (!isAllowed || url.username || url.password) {
        throw new errors.InvalidRedirectUri(
          `redirect_uris must be https, or http on a loopback address, but has ${String(uri).slice(0, 100)}`,
        )
      }
    }
    // Native apps listen on any free port (RFC 8252, 7.3), which the library allows for this type only.
    if (uris.length && uris.every((uri) => URL.parse(uri)?.protocol === 'http:'))
      metadata['application_type'] = 'native'
  }
  for (const [member, value] of Object.entries(metadata)) {
    if (/^client_name(?:#|$)/.test(member) && value !== undefined) checkName(value)
  }
  // A server may replace requested values and returns the registered values (RFC 7591, 3.2.1).
  if (registered && /^client_secret_/.test(String(metadata['token_endpoint_auth_method'] ?? 'client_secret_basic'))) {
    metadata['token_endpoint_auth_method'] = 'none'
    delete metadata['client_secret']
    delete metadata['client_secret_expires_at']
  }
}
