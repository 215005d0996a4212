import { entryOf, nth } from '../../../ingest/domain/nth.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { mails } from '../../../sql/queries/mail.ts'

export const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export function post(base: string, path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(base + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

/** Fills the form of a page by its labels, as a browser without script or a screen reader would. */
export async function fill(
  base: string,
  page: Response | string,
  values: Record<string, string>,
  button: string,
): Promise<Response> {
  const html = typeof page === 'string' ? page : await page.text()
  const fields: Record<string, string> = {}
  for (const [, name, value] of html.matchAll(/<input [^>]*name="([^"]+)" value="([^"]*)"/g)) fields[name!] = value!
  for (const [label, value] of Object.entries(values)) {
    const id = new RegExp(`<label for="([^"]+)">${label}</label>`).exec(html)![1]
    const input = new RegExp(`<input [^>]*id="${id}"[^>]*>`).exec(html)![0]
    fields[nth(/name="([^"]+)"/.exec(input)!, 1)] = value
  }
  const pressed = new RegExp(`<button type="submit"([^>]*)>${button}</button>`).exec(html)!
  const name = /name="([^"]+)" value="([^"]+)"/.exec(nth(pressed, 1))
  if (name) fields[nth(name, 1)] = nth(name, 2)
  return post(base, nth(/<form [^>]*action="([^"]+)"/.exec(html)!, 1), fields)
}

export async function newestLink(database: Database): Promise<string> {
  return /http\S+/.exec(nth(await mails(database, 1), 0).body)![0]
}

/** Returns an access token of a new account, by the device grant with its mail and pages. */
export async function accessToken(base: string, database: Database, email: string): Promise<string> {
  const client = { client_id: 'hexcast-device' }
  const authorization = await post(base, '/auth/device_authorization', { ...client, scope: 'openid email' })
  const { device_code, verification_uri_complete } = (await authorization.json()) as Record<string, string>
  await fill(base, await fetch(verification_uri_complete!), { Email: email }, 'Continue')
  await fill(base, await fetch(await newestLink(database)), {}, 'Approve')
  const response = await post(base, '/auth/token', { ...client, device_code: device_code!, grant_type: GRANT })
  return entryOf((await response.json()) as Record<string, string>, 'access_token')
}
