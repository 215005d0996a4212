import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express, type Request, type RequestHandler, type Response } from 'express'
import type { Route } from '../route.ts'
import type { ApiRequest, HttpDeps } from './deps.ts'
import { answer, fail, open } from './pipeline.ts'

/**
 * Runs the handlers of one route without Express: its change of prototypes, its matching and its nested calls are a measurable part of
 * a cold answer (see docs/SCALE.md). They are the same functions in the same order. What Express decides goes there: other methods and
 * spellings of the path, requests of other origins.
 * @returns whether the request was taken
 */
export function direct(app: Express, http: HttpDeps, route: Route) {
  const prefix = `${route.path}?`
  const handlers = [open(http), ...answer(http, route)]
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { headers } = request
    if (request.method !== 'GET' || !request.url?.startsWith(prefix)) return false
    if (headers.origin !== undefined) return false
    const forwarded = headers['x-forwarded-for'] !== undefined
    const ip = forwarded ? addressOf.call(Object.assign(request, { app })) : request.socket.remoteAddress
    run(handlers, 0, Object.assign(request, { ip }) as Request, response as Response, (error) =>
      fail(http, error, request as ApiRequest, response),
    )
    return true
  }
}

/** The address of a caller by the rule of Express, which believes a proxy where `trust proxy` is set. */
const addressOf = Object.getOwnPropertyDescriptor(express.request, 'ip')!.get as (this: IncomingMessage) => string

/** Each handler calls the next one; whatever one throws, or passes on, ends the chain. */
function run(
  handlers: readonly RequestHandler[],
  i: number,
  request: Request,
  response: Response,
  failed: (error: unknown) => void,
): void {
  const next = (error?: unknown) =>
    error === undefined ? run(handlers, i + 1, request, response, failed) : failed(error)
  try {
    const done = handlers[i]!(request, response, next) as unknown
    if (done instanceof Promise) done.catch(failed)
  } catch (error) {
    failed(error)
  }
}
