import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiRequest } from '../http/deps.ts'
import { type Exchange, send } from '../http/exchange.ts'
import type { Answer } from '../route.ts'

export const exchangeOf = (request: IncomingMessage): Exchange => (request as ApiRequest).exchange

/** Sends a page of an account. It must not be cached: it contains tickets, keys or email addresses. */
export function showPage(request: IncomingMessage, response: ServerResponse, page: Answer, cookie?: string): void {
  const headers = {
    ...page.headers,
    'Content-Type': page.type ?? 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(cookie && { 'Set-Cookie': cookie }),
  }
  send(response, exchangeOf(request), page.status ?? 200, headers, String(page.body))
}

/** Redirects a browser to the pages of the account. @param cookies values of Set-Cookie */
export function redirectToDeveloper(request: IncomingMessage, response: ServerResponse, cookies: string[]): void {
  response.setHeader('Set-Cookie', cookies)
  send(response, exchangeOf(request), 303, {
    Location: '/developer',
    'Content-Length': '0',
    'Cache-Control': 'no-store',
  })
}
