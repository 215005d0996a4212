import { createHash } from 'node:crypto'
import { permanentBody } from '../http/encoding.ts'
import { Problem } from '../problem.ts'
import type { Answer, Route } from '../route.ts'
import { asset, assetPath } from './assets.ts'
import { documents, errorPage } from './documents.ts'
import { guideIndex, guidePage, guides } from './guides/index.ts'
import { html, type Markup, page } from './page.ts'

/** The OpenAPI document and its browser, texts, and a page for every problem type. */
export function pageRoutes(document: (base: string) => object, trialCalls: number): Route[] {
  const described = new WeakMap<object, Answer>()
  const description = (base: string): Answer => {
    const made = document(base)
    let answer = described.get(made)
    if (!answer) {
      const body = Buffer.from(JSON.stringify(made))
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
      const headers = { 'Cache-Control': 'max-age=300', 'Access-Control-Allow-Origin': '*' }
      described.set(made, (answer = { body, etag, encoded: permanentBody(), headers }))
    }
    return answer
  }
  const routes: Route[] = [
    {
      method: 'get',
      path: '/openapi.json',
      open: true,
      handle: ({ base }) => description(base),
    },
    { method: 'get', path: '/docs/api', open: true, handle: browser },
    { method: 'get', path: '/assets/:file', open: true, handle: ({ params }) => asset(params['file']!) },
    {
      method: 'get',
      path: '/errors/:slug',
      open: true,
      handle: ({ params }) => {
        const found = errorPage(params['slug']!)
        if (!found) throw new Problem('not-found', 'There is no such kind of error. See /errors.')
        return found
      },
    },
  ]
  for (const [path, text] of Object.entries(documents)) {
    routes.push({ method: 'get', path, open: true, handle: ({ base }) => page(text(base, trialCalls)) })
  }
  const styled = (text: { title: string; body: Markup }) =>
    page({ ...text, head: html`<link rel="stylesheet" href="${assetPath('guide.css')}">` })
  routes.push({ method: 'get', path: '/docs', open: true, handle: ({ base }) => styled(guideIndex(base)) })
  for (const path of Object.keys(guides))
    routes.push({ method: 'get', path, open: true, handle: ({ base }) => styled(guidePage(path, base)) })
  return routes
}

const browser = () =>
  page({
    title: 'API reference',
    hasMain: true,
    head: html`<link rel="stylesheet" href="${assetPath('swagger-ui.css')}">
<link rel="stylesheet" href="${assetPath('docs.css')}">
<script src="${assetPath('swagger-ui-bundle.js')}" defer></script>
<script src="${assetPath('docs.js')}" type="module"></script>`,
    // Swagger UI sets inline styles.
    policy:
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    body: html`<section aria-labelledby="about"><h1 id="about">API reference</h1>
<p>The description itself: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). To try a call, choose Authorize and give your key; it stays in this page.</p></section>
<div id="interface"><noscript><p>The browser of the interface needs script; the description does not.</p></noscript></div>`,
  })
