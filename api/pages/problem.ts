import { displayable, type Problem } from '../problem.ts'
import type { Answer } from '../route.ts'
import { html, page } from './page.ts'

const TITLES: Readonly<Record<number, string>> = {
  404: 'There is no such page',
  429: 'Too many requests',
  503: 'Try again in a moment',
}

/** A problem as a page. The message of a server error is not shown; it is in the log. */
export function problemPage(problem: Problem, retrySeconds: number | undefined): Answer {
  const { status, message } = problem
  const title = TITLES[status] ?? (status >= 500 ? 'Something went wrong here' : 'This cannot be shown')
  const retry = retrySeconds === undefined ? '' : ` Try again in ${Math.max(1, Math.ceil(retrySeconds))} s.`
  return page({
    title,
    status,
    body: html`<h1>${title}</h1>
<p role="alert">${status === 404 ? 'The address may be mistyped, or the page has moved.' : status >= 500 && status !== 503 ? 'The error was recorded.' : displayable(message)}${retry}</p>
<p><a href="/">The weather of a place</a>, <a href="/docs">the documentation</a>, or <a href="/status">the status of this server</a>.</p>`,
  })
}
