import { html, type Markup } from '../page.ts'
import { alerts } from './alerts.ts'
import { caching } from './caching.ts'
import { fields } from './fields.ts'
import type { Guide } from './guide.ts'
import { icons } from './icons.ts'
import { quickstart } from './quickstart.ts'
import { selfHosting } from './self-hosting.ts'
import { time } from './time.ts'

/** The guides by path, in the order of the index. */
export const guides: Readonly<Record<string, Guide>> = {
  '/docs/quickstart': quickstart,
  '/docs/fields': fields,
  '/docs/icons': icons,
  '/docs/alerts': alerts,
  '/docs/time': time,
  '/docs/caching': caching,
  '/docs/self-hosting': selfHosting,
}

const otherPages: readonly (readonly [path: string, title: string, about: string])[] = [
  ['/developer', 'API keys', 'Sign up, create and revoke keys, and see their usage.'],
  ['/docs/api', 'API reference', 'Every route, parameter and field, with calls to try in the browser.'],
  ['/docs/mcp', 'MCP server', 'Connect an assistant through the Model Context Protocol.'],
  ['/docs/agents', 'For agents', 'Keys and errors for software that acts for a person.'],
  ['/docs/keys', 'Keys', 'How to get a key, in a browser or from a program, and keep it safe.'],
  ['/docs/plans', 'Plans', 'Limits of each plan.'],
  ['/docs/formats', 'Formats', 'CSV, Parquet, Arrow, GeoJSON, CAP, Atom and calendars.'],
  ['/docs/webhooks', 'Webhooks', 'Have your server called when an alert changes or a run is published.'],
  ['/docs/x402', 'Paying for single calls', 'Pay for a call without a key, if the operator has switched it on.'],
  ['/status', 'Status', 'Which data are served, expected and late, over 90 days.'],
  ['/errors', 'Errors', 'Every kind of error, and what to do about it.'],
]

/** The first page of the documentation. */
export function guideIndex(base: string): { title: string; body: Markup } {
  const entry = (path: string, title: string, about: string) =>
    html`<li><a href="${path}">${title}</a><br><span class="quiet">${about}</span></li>`
  return {
    title: 'Documentation',
    body: html`<h1>Documentation</h1>
<p>US weather as one JSON answer, as tools for assistants, and as the page at <a href="/">${base}</a>.</p>
<ul class="guides">${Object.entries(guides).map(([path, guide]) => {
      const { title, about } = guide(base)
      return entry(path, title, about)
    })}
${otherPages.map(([path, title, about]) => entry(path, title, about))}</ul>`,
  }
}

/** A guide with links to all guides. */
export function guidePage(path: string, guide: Guide, base: string): { title: string; body: Markup } {
  const { title, body } = guide(base)
  const links = Object.entries(guides).map(
    ([to, guide]) =>
      html`<a href="${to}"${to === path ? ({ html: ' aria-current="page"' } as Markup) : ''}>${guide(base).title}</a> `,
  )
  return { title, body: html`<nav class="guide-links" aria-label="Guides">${links}</nav><h1>${title}</h1>${body}` }
}
