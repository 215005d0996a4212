import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { permanentBody } from '../http/encoding.ts'
import { Problem } from '../problem.ts'
import type { Answer, EncodedBody, Route } from '../route.ts'
import { documents, errorPage } from './documents.ts'
import { html, page } from './page.ts'

const require = createRequire(import.meta.url)
const own = (name: string) => join(import.meta.dirname, name)
const swagger = (name: string) => join(dirname(require.resolve('swagger-ui-dist/package.json')), name)

/** Static files of pages: name, path, media type. */
const assets: Readonly<Record<string, readonly [path: () => string, type: string]>> = {
  'page.css': [() => own('page.css'), 'text/css; charset=utf-8'],
  'docs.css': [() => own('docs.css'), 'text/css; charset=utf-8'],
  'home.css': [() => own('home.css'), 'text/css; charset=utf-8'],
  'home.js': [() => own('home.js'), 'text/javascript; charset=utf-8'],
  'radar-player.js': [() => own('radar-player.js'), 'text/javascript; charset=utf-8'],
  'claim.js': [() => own('claim.js'), 'text/javascript; charset=utf-8'],
  'docs.js': [() => own('docs.js'), 'text/javascript; charset=utf-8'],
  'swagger-ui.css': [() => swagger('swagger-ui.css'), 'text/css; charset=utf-8'],
  'swagger-ui-bundle.js': [() => swagger('swagger-ui-bundle.js'), 'text/javascript; charset=utf-8'],
}

const cache = new Map<string, { body: Buffer; etag: string; type: string; encoded: EncodedBody }>()

export function asset(name: string, files = assets): Answer {
  let file = cache.get(name)
  if (!file) {
    const known = Object.hasOwn(files, name) ? files[name] : undefined
    if (!known) throw new Problem('not-found', 'There is no such file.')
    const body = readFileSync(known[0]())
    file = { body, type: known[1], etag: tagOf(body), encoded: permanentBody() }
    cache.set(name, file)
  }
  return { ...file, headers: { 'Cache-Control': 'max-age=600' } }
}

const tagOf = (body: Buffer) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`

/** The OpenAPI document and its browser, texts, and a page for every problem type. */
export function pageRoutes(document: (base: string) => object, trialCalls: number): Route[] {
  const described = new WeakMap<object, Answer>()
  const description = (base: string): Answer => {
    const made = document(base)
    let answer = described.get(made)
    if (!answer) {
      const body = Buffer.from(JSON.stringify(made))
      const headers = { 'Cache-Control': 'max-age=300', 'Access-Control-Allow-Origin': '*' }
      described.set(made, (answer = { body, etag: tagOf(body), encoded: permanentBody(), headers }))
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
    { method: 'get', path: '/docs', open: true, handle: () => browser },
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
  return routes
}

const browser = page({
  title: 'Interface',
  head: html`<link rel="stylesheet" href="/assets/swagger-ui.css">
<link rel="stylesheet" href="/assets/docs.css">
<script src="/assets/swagger-ui-bundle.js" defer></script>
<script src="/assets/docs.js" defer></script>`,
  // Swagger UI sets inline styles.
  policy:
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  body: html`<h1>Interface</h1>
<p>The description itself: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). To try a call, choose Authorize and give your key; it stays in this page.</p>
<div id="interface"><noscript><p>The browser of the interface needs script; the description does not.</p></noscript></div>`,
})
