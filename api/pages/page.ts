import type { Answer } from '../route.ts'
import { assetPath } from './assets.ts'

/** Markup in which all interpolated values have been escaped. */
export interface Markup {
  readonly html: string
}

type MarkupPart = Markup | string | number | undefined | false | readonly MarkupPart[]

/** A tagged template that escapes interpolated strings; markup and lists of markup are inserted as they are. */
export function html(texts: TemplateStringsArray, ...parts: MarkupPart[]): Markup {
  return { html: texts.map((text, i) => (i < parts.length ? text + rendered(parts[i]) : text)).join('') }
}

function rendered(part: MarkupPart): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  if (Array.isArray(part)) return part.map(rendered).join('')
  return (part as Markup).html
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

export interface PageOptions {
  readonly title: string
  readonly body: Markup
  readonly status?: number
  /** Further elements of the head. */
  readonly head?: Markup
  /** Content-Security-Policy; the default allows the stylesheet and images only. */
  readonly policy?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Elements in the bar, beside the name. */
  readonly tools?: Markup
  /** True for the weather page, which is as wide as the window and has its links in the footer. */
  readonly home?: boolean
  /** True if the body contains its own main element. */
  readonly hasMain?: boolean
  /** True for a page whose table needs more width than a column of text. */
  readonly wide?: boolean
}

const links = html`<a href="/docs">Documentation</a> <a href="/docs/api">API reference</a> <a href="/developer">API keys</a> <a href="/docs/plans">Plans</a> <a href="/errors">Errors</a> <a href="/status">Status</a> <a href="/skill">Forecast accuracy</a>`
export const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 2l12 7v14l-12 7-12-7V9z" fill="#0b57a4"/><circle cx="16" cy="16" r="6" fill="#ffd166"/></svg>')}`

export const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** A page with one stylesheet. It has no script unless its policy allows one, and it loads nothing from other hosts. */
export function page({
  title,
  body,
  status = 200,
  head,
  policy = POLICY,
  headers,
  tools,
  home = false,
  wide = false,
  hasMain = false,
}: PageOptions): Answer {
  const element: Markup = { html: hasMain ? 'div' : 'main' }
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Hexcast</title>
<link rel="stylesheet" href="${assetPath('page.css')}">
<link rel="icon" href="${ICON}">
${head}
</head>
<body${home ? ({ html: ' class="home"' } as Markup) : ''}>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><a class="brand" href="/">Hexcast</a>
${home ? html`${tools}<nav class="wide" aria-label="About"><a href="/docs">For developers</a></nav>` : html`<nav aria-label="Site">${links}</nav>`}</header>
<${element} id="main"${wide && ({ html: ' class="wide-main"' } as Markup)}>
${body}
</${element}>
<footer>${home && html`<nav aria-label="Site">${links}</nav>`}<p><a href="/acknowledgements">Acknowledgements</a> · Weather data: NOAA, which does not endorse this service. Not for the protection of life or property.</p></footer>
</body>
</html>
`.html
  return { status, type: 'text/html; charset=utf-8', body: text, headers: { ...pageHeaders(policy), ...headers } }
}

export function pageHeaders(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    'Strict-Transport-Security': 'max-age=31536000',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': 'camera=(), microphone=(), payment=(), usb=()',
    'Cache-Control': 'no-cache',
  }
}
