import { Problem } from '../problem.ts'
import type { Route } from '../route.ts'
import { llmsText } from './agents.ts'
import { asset, assetPath } from './assets.ts'
import { documents, errorPage } from './documents.ts'
import { guideIndex, guidePage, guides } from './guides/index.ts'
import { openApiAnswers } from './openapi.ts'
import { html, type Markup, page } from './page.ts'

const OPEN_HEADERS = { 'Cache-Control': 'max-age=300', 'Access-Control-Allow-Origin': '*' }

/** Routes of the OpenAPI document, the texts for agents, the API reference, the texts, and a page for every problem type. */
export function pageRoutes(trialCalls: number): Route[] {
  const description = openApiAnswers(OPEN_HEADERS)
  const routes: Route[] = [
    {
      method: 'get',
      path: '/openapi.json',
      open: true,
      handle: ({ base }) => description.whole(base),
    },
    {
      method: 'get',
      path: '/functions.json',
      open: true,
      handle: ({ base }) => description.functions(base),
    },
    {
      method: 'get',
      path: '/llms.txt',
      open: true,
      handle: ({ base }) => ({ body: llmsText(base), type: 'text/markdown; charset=utf-8', headers: OPEN_HEADERS }),
    },
    { method: 'get', path: '/docs/api', open: true, handle: apiReference },
    { method: 'get', path: '/assets/:file', open: true, handle: ({ params }) => asset(params['file'] ?? '') },
    {
      method: 'get',
      path: '/errors/:slug',
      open: true,
      handle: ({ params }) => {
        const answer = errorPage(params['slug'] ?? '')
        if (!answer) throw new Problem('not-found', 'There is no such kind of error. See /errors.')
        return answer
      },
    },
  ]
  for (const [path, text] of Object.entries(documents)) {
    routes.push({ method: 'get', path, open: true, handle: ({ base }) => page(text(base, trialCalls)) })
  }
  const styled = (text: { title: string; body: Markup }) =>
    page({ ...text, head: html`<link rel="stylesheet" href="${assetPath('guide.css')}">` })
  routes.push({ method: 'get', path: '/docs', open: true, handle: ({ base }) => styled(guideIndex(base)) })
  for (const [path, guide] of Object.entries(guides))
    routes.push({ method: 'get', path, open: true, handle: ({ base }) => styled(guidePage(path, guide, base)) })
  return routes
}

const apiReference = () =>
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
<p>The reference is also available as <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). To try a call, choose Authorize and enter your key; it stays in this page.</p></section>
<div id="interface"><noscript><p>This reference needs script; openapi.json does not.</p></noscript></div>`,
  })
