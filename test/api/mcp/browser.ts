import { createHash, randomBytes } from 'node:crypto'
import type { OAuthClientMetadata, OAuthClientProvider } from '@modelcontextprotocol/client'
import { mails } from '../../../sql/queries/mail.ts'
import type { EdgeServer } from '../http/test-server.ts'

/** A browser for tests. It stores cookies by path, follows redirects within the site, and fills in forms by their labels. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>()
  readonly #base: string
  readonly #server: string

  /** @param server address of the server, if a proxy serves the site at `base` */
  constructor(base: string, server = base) {
    this.#base = base
    this.#server = server
  }

  /** Opens a page and follows redirects within the site. @returns the last answer, and the target of a redirect to another site */
  async open(url: string, init: RequestInit = {}): Promise<{ page: string; status: number; away?: URL }> {
    let to = new URL(url, this.#base)
    let options: RequestInit = init
    for (let hops = 0; hops < 10; hops++) {
      if (to.origin !== this.#base) return { page: '', status: 302, away: to }
      const cookie = [...this.#cookies]
        .filter(([, { path }]) => to.pathname.startsWith(path))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; ')
      const headers = { accept: 'text/html', ...(cookie && { cookie }) }
      const response = await fetch(this.#server + to.pathname + to.search, { ...options, redirect: 'manual', headers })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/'
        if (value) this.#cookies.set(name, { value, path })
        else this.#cookies.delete(name)
      }
      const location = response.headers.get('location')
      if (!location) return { page: await response.text(), status: response.status }
      await response.body?.cancel()
      to = new URL(location, to)
      options = {}
    }
    throw new Error('more than 10 redirects')
  }

  /** Fills in the form of a page by its labels and presses a button. */
  press(page: string, button: string, values: Record<string, string> = {}) {
    const fields: Record<string, string> = {}
    for (const [, name, value] of page.matchAll(/<input [^>]*name="([^"]+)" value="([^"]*)"/g))
      if (name && value !== undefined) fields[name] = value
    for (const [label, value] of Object.entries(values)) {
      const id = group(new RegExp(`<label for="([^"]+)">${label}</label>`), page)
      const input = group(new RegExp(`(<input [^>]*id="${id}"[^>]*>)`), page)
      fields[group(/name="([^"]+)"/, input)] = value
    }
    const attributes = group(new RegExp(`<button type="submit"([^>]*)>${button}</button>`), page)
    const [, name, value = ''] = /name="([^"]+)" value="([^"]+)"/.exec(attributes) ?? []
    if (name) fields[name] = value
    return this.open(group(/<form [^>]*action="([^"]+)"/, page), {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
  }
}

/** The first group of an expression in a text. @throws Error without a match */
function group(expression: RegExp, text: string): string {
  const [, value] = expression.exec(text) ?? []
  if (value === undefined) throw new Error(`${expression} does not match: ${text.slice(0, 400)}`)
  return value
}

/** The link in the newest mail. */
export const newestLink = async (edge: EdgeServer) => group(/(http\S+)/, (await mails(edge.database, 1))[0]?.body ?? '')

/** Signs in with the link of a mail and approves. @returns the redirect to the client, and the pages before it */
export async function approve(edge: EdgeServer, at: string | URL, email: string, browser = new Browser(edge.base)) {
  const first = await browser.open(String(at))
  if (first.away) return { back: first.away, pages: [] }
  await browser.press(first.page, 'Continue', { Email: email })
  const second = await browser.open(await newestLink(edge))
  const last = await browser.press(second.page, 'Approve')
  if (!last.away) throw new Error(`no redirect to the client: ${last.status} ${last.page.slice(0, 400)}`)
  return { back: last.away, pages: [first.page, second.page] }
}

/** The state of an ordinary client in memory, which knows nothing of the server at first. */
export class Keeper implements OAuthClientProvider {
  readonly stored: Record<string, unknown> = {}
  readonly clientMetadata: OAuthClientMetadata
  readonly clientMetadataUrl?: string
  /** The page to which the client sent its user to sign in. */
  sentTo?: URL

  constructor(clientMetadata: OAuthClientMetadata, clientMetadataUrl?: string) {
    this.clientMetadata = clientMetadata
    if (clientMetadataUrl) this.clientMetadataUrl = clientMetadataUrl
  }

  get redirectUrl() {
    return this.clientMetadata.redirect_uris[0] ?? ''
  }
  state() {
    return 'a-state'
  }
  clientInformation() {
    return this.stored['client'] as never
  }
  saveClientInformation(client: unknown) {
    this.stored['client'] = client
  }
  tokens() {
    return this.stored['tokens'] as never
  }
  saveTokens(tokens: unknown) {
    this.stored['tokens'] = tokens
  }
  redirectToAuthorization(to: URL) {
    this.sentTo = to
  }
  saveCodeVerifier(verifier: string) {
    this.stored['verifier'] = verifier
  }
  codeVerifier() {
    return this.stored['verifier'] as string
  }
}

/** A fresh verifier and its challenge (RFC 7636). */
export function pair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
