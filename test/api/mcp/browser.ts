import { createHash, randomBytes } from 'node:crypto'
import type { OAuthClientMetadata, OAuthClientProvider } from '@modelcontextprotocol/client'
import { mails } from '../../../sql/queries/mail.ts'
import type { EdgeServer } from '../http/test-server.ts'

/** What a person's browser does: keeps cookies by path, follows redirects of the site, fills forms by their labels. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>()
  readonly #base: string
  readonly #reach: string

  /** @param reach address of the server behind the proxy of the site */
  constructor(base: string, reach = base) {
    this.#base = base
    this.#reach = reach
  }

  /** Follows redirects as long as they stay on the site; the last answer, and where a redirect led away. */
  async open(url: string, init: RequestInit = {}): Promise<{ page: string; status: number; away?: URL }> {
    let to = new URL(url, this.#base)
    let how: RequestInit = init
    for (let hops = 0; hops < 10; hops++) {
      if (to.origin !== this.#base) return { page: '', status: 302, away: to }
      const cookie = [...this.#cookies]
        .filter(([, { path }]) => to.pathname.startsWith(path))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; ')
      const headers = { accept: 'text/html', ...(cookie && { cookie }) }
      const response = await fetch(this.#reach + to.pathname + to.search, { ...how, redirect: 'manual', headers })
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
        const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/'
        if (value) this.#cookies.set(name!, { value, path })
        else this.#cookies.delete(name!)
      }
      const location = response.headers.get('location')
      if (!location) return { page: await response.text(), status: response.status }
      await response.body?.cancel()
      to = new URL(location, to)
      how = {}
    }
    throw new Error('more than 10 redirects')
  }

  /** Presses a button of the page's form. */
  press(page: string, button: string, values: Record<string, string> = {}) {
    const fields: Record<string, string> = {}
    for (const [, name, value] of page.matchAll(/<input [^>]*name="([^"]+)" value="([^"]*)"/g)) fields[name!] = value!
    for (const [label, value] of Object.entries(values)) {
      const id = new RegExp(`<label for="([^"]+)">${label}</label>`).exec(page)![1]
      const input = new RegExp(`<input [^>]*id="${id}"[^>]*>`).exec(page)![0]
      fields[/name="([^"]+)"/.exec(input)![1]!] = value
    }
    const pressed = new RegExp(`<button type="submit"([^>]*)>${button}</button>`).exec(page)!
    const name = /name="([^"]+)" value="([^"]+)"/.exec(pressed[1]!)
    if (name) fields[name[1]!] = name[2]!
    return this.open(/<form [^>]*action="([^"]+)"/.exec(page)![1]!, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
  }
}

export const newestLink = async (edge: EdgeServer) => /http\S+/.exec((await mails(edge.database, 1))[0]!.body)![0]

/** Signs in by the link of a mail. @returns the redirect to the client, and the pages before it */
export async function approve(edge: EdgeServer, at: string | URL, email: string, browser = new Browser(edge.base)) {
  const first = await browser.open(String(at))
  if (first.away) return { back: first.away, pages: [] }
  await browser.press(first.page, 'Continue', { Email: email })
  const second = await browser.open(await newestLink(edge))
  const last = await browser.press(second.page, 'Approve')
  if (!last.away) throw new Error(`not sent back: ${last.status} ${last.page.slice(0, 400)}`)
  return { back: last.away, pages: [first.page, second.page] }
}

/** What a client of the stock kind keeps: everything in memory, and nothing known of the server before. */
export class Keeper implements OAuthClientProvider {
  readonly kept: Record<string, unknown> = {}
  readonly clientMetadata: OAuthClientMetadata
  readonly clientMetadataUrl?: string
  /** Where the person was sent to sign in. */
  sentTo?: URL

  constructor(clientMetadata: OAuthClientMetadata, clientMetadataUrl?: string) {
    this.clientMetadata = clientMetadata
    if (clientMetadataUrl) this.clientMetadataUrl = clientMetadataUrl
  }

  get redirectUrl() {
    return this.clientMetadata.redirect_uris[0]!
  }
  state() {
    return 'a-state'
  }
  clientInformation() {
    return this.kept['client'] as never
  }
  saveClientInformation(client: unknown) {
    this.kept['client'] = client
  }
  tokens() {
    return this.kept['tokens'] as never
  }
  saveTokens(tokens: unknown) {
    this.kept['tokens'] = tokens
  }
  redirectToAuthorization(to: URL) {
    this.sentTo = to
  }
  saveCodeVerifier(verifier: string) {
    this.kept['verifier'] = verifier
  }
  codeVerifier() {
    return this.kept['verifier'] as string
  }
}

/** A fresh verifier and its challenge (RFC 7636). */
export function pair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
