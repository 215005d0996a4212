import { STATUS_CODES } from 'node:http'
import { type Fault, isFault } from '../ingest/domain/fault.ts'
import { mapTexts, withoutKeys } from '../ingest/domain/redact.ts'

/** Every problem type: its default status, its title, and the text of its page. */
export const slugs = {
  'bad-request': [
    400,
    'Bad request',
    'The request is malformed. The detail says what was received and what was expected. Do not retry the request unchanged.',
  ],
  unauthorized: [
    401,
    'Unauthorized',
    'A valid API key is needed: send it as Authorization: Bearer. An unknown key and a revoked key look the same.',
  ],
  'trial-ended': [
    402,
    'Trial ended',
    'The free calls of this trial key are used up. Claim the key to continue to use it.',
  ],
  forbidden: [403, 'Forbidden', 'The credentials are valid, but do not allow this request.'],
  'trial-route-not-allowed': [
    403,
    'Not on a trial key',
    'This route is not open to trial keys. Claim the key to use it.',
  ],
  'flag-disabled': [403, 'Feature switched off', 'This feature exists but is switched off on this server.'],
  'not-found': [
    404,
    'Not found',
    'There is nothing at this address, or no such place, station, product or alert exists.',
  ],
  'outside-coverage': [
    404,
    'Outside coverage',
    'The point is not in the 50 US states or DC. This does not change for a point, so do not retry.',
  ],
  conflict: [
    409,
    'Conflict',
    'The request conflicts with an earlier request. Read the current state, then try once more.',
  ],
  'payload-too-large': [
    413,
    'Payload too large',
    'The request is larger than the server accepts, or names more points than one request may.',
  ],
  'too-many-requests': [
    429,
    'Too many requests',
    'The limit per minute is used up. Wait for Retry-After seconds. The limit applies to the key, not to the location.',
  ],
  'rate-limit-exceeded': [
    429,
    'Quota used up',
    'The limit per day or month is used up. Wait for Retry-After seconds, or choose a larger plan.',
  ],
  internal: [
    500,
    'Internal error',
    'The server failed, and the failure is logged. Retry with growing pauses, at most three times.',
  ],
  upstream: [
    502,
    'Upstream failed',
    'A data source returned unusable data. Retry with growing pauses, at most three times.',
  ],
  'service-unavailable': [
    503,
    'Service unavailable',
    'The server cannot answer at the moment. Wait for Retry-After seconds, then retry with growing pauses.',
  ],
  timeout: [504, 'Timeout', 'The answer took too long. Retry with growing pauses, at most three times.'],
} as const satisfies Record<string, readonly [status: number, title: string, meaning: string]>

export type Slug = keyof typeof slugs

export interface ProblemExtra {
  /** Status if it differs from the default of the slug: 405, 406, 408, 414, 415, 416, 417, 431. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Extension members (RFC 9457). */
  readonly members?: Readonly<Record<string, unknown>>
  readonly retryAfter?: number
  /** Error of the RFC 6750 challenge; absent if no credentials were sent. */
  readonly challenge?: {
    readonly error: 'invalid_request' | 'invalid_token' | 'insufficient_scope'
    readonly scope?: string
  }
  /** URL of the metadata of the protected resource (RFC 9728), from which a client finds where to sign in. */
  readonly resource?: { readonly metadata: string; readonly scope: string }
  /** Href of the claim relation, for a 402 and a 403 of a trial key. */
  readonly claim?: string
  readonly cause?: unknown
}

/** A failure as it is sent to the client (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly slug: Slug
  readonly status: number
  readonly extra: ProblemExtra

  constructor(slug: Slug, detail: string, extra: ProblemExtra = {}) {
    super(detail, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.slug = slug
    this.status = extra.status ?? slugs[slug][0]
    this.extra = extra
  }
}

/** URLs in a problem; `base` without a trailing slash. */
export interface ProblemLinks {
  readonly base: string
  /** Host, for the realm of the challenge. */
  readonly realm: string
  readonly device: { readonly clientId: string; readonly deviceEndpoint: string; readonly tokenEndpoint: string }
  readonly x402: boolean
}

export function typeUri(base: string, slug: Slug): string {
  return `${base}/errors/${slug}`
}

/** Converts any thrown value to a problem. A bug becomes `internal`, without details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isFault(error)) return fromFault(error)
  const thrown = error as {
    status?: unknown
    statusCode?: unknown
    type?: unknown
    code?: unknown
    message?: unknown
    limit?: unknown
  } | null
  const status = Number(thrown?.status ?? thrown?.statusCode)
  if (thrown?.type === 'entity.too.large') return tooLarge(Number(thrown.limit), error)
  if (status === 415) {
    return new Problem(
      'bad-request',
      `The body must be application/json in UTF-8, uncompressed or gzip, deflate or br: ${String(thrown?.message)}. Encode it so and try again.`,
      { status: 415, cause: error },
    )
  }
  if (thrown?.type === 'entity.parse.failed') {
    return new Problem(
      'bad-request',
      'The body must be JSON such as {"points":[{"lat":39.74,"lon":-104.99}]}, but could not be parsed. Fix it and try again.',
      { cause: error },
    )
  }
  if (status >= 400 && status < 500) {
    return new Problem(
      'bad-request',
      `The request could not be read: ${String(thrown?.message).slice(0, 200)}. Fix it and try again.`,
      {
        cause: error,
      },
    )
  }
  if (thrown?.code === '57014')
    return new Problem('timeout', 'The database took too long. Retry in a moment.', { cause: error })
  return new Problem(
    'internal',
    'The server failed on this request. The failure is logged under the X-Request-Id of this answer. Retry in a moment.',
    { cause: error },
  )
}

export function tooLarge(limit: number, cause?: unknown): Problem {
  return new Problem(
    'payload-too-large',
    `The body must have at most ${limit} bytes, but has more. Send fewer points in one request.`,
    { cause },
  )
}

/** The problem for a method that an address does not support: status 405 with Allow. */
export function methodNotAllowed(method: string | undefined, allowed: readonly string[]): Problem {
  return new Problem('bad-request', `${method} is not allowed at this address. Use ${allowed.join(' or ')}.`, {
    status: 405,
    headers: { Allow: allowed.join(', ') },
  })
}

function fromFault(fault: Fault): Problem {
  const retryAfter = Number(fault.details['retryAfter']) || undefined
  if (fault.kind === 'Invalid') {
    const slug = fault.details['slug'] as Slug | undefined
    const { field, candidates } = fault.details
    return new Problem(slug && slug in slugs ? slug : 'bad-request', fault.message, {
      cause: fault,
      members: { ...(typeof field === 'string' && { field }), ...(Array.isArray(candidates) && { candidates }) },
    })
  }
  if (fault.kind === 'Missing' || fault.kind === 'Gone') {
    const slug = fault.details['slug'] as Slug | undefined
    return new Problem(slug && slug in slugs ? slug : 'not-found', fault.message, { cause: fault })
  }
  if (fault.kind === 'Corrupt') {
    return new Problem('upstream', 'A data source returned bytes that cannot be used. Retry in a moment.', {
      cause: fault,
    })
  }
  if (fault.details['timeout'] === true)
    return new Problem('timeout', 'The answer took too long. Retry in a moment.', { cause: fault })
  return new Problem(
    'service-unavailable',
    'A part of the system that this answer needs is not available. Retry after the number of seconds in `Retry-After`.',
    { cause: fault, retryAfter: retryAfter ?? 5 },
  )
}

/** Returns the headers and body of a problem. @param instance the path without query, because a query may contain secrets */
export function renderProblem(
  problem: Problem,
  urls: ProblemLinks,
  instance: string,
): { status: number; headers: Record<string, string>; body: Buffer } {
  const { slug, status, extra } = problem
  const body = Buffer.from(
    JSON.stringify({
      type: typeUri(urls.base, slug),
      title: status === slugs[slug][0] ? slugs[slug][1] : (STATUS_CODES[status] ?? slugs[slug][1]),
      status,
      detail: displayable(withoutKeys(problem.message)),
      instance,
      ...extensionMembers(extra.members),
      ...nextSteps(problem, urls),
    }),
  )
  const headers: Record<string, string> = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(body.length),
    'X-Content-Type-Options': 'nosniff',
    ...extra.headers,
  }
  if (extra.retryAfter !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(extra.retryAfter)))
  if (status === 401 || status === 403) headers['WWW-Authenticate'] = challenge(problem, urls)
  return { status, headers, body }
}

/** Replaces bidirectional control characters, because details repeat parts of the request. */
export function displayable(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '\ufffd')
}

/** Returns the extension members, which never replace those of RFC 9457. API keys in them are redacted. */
function extensionMembers(members: ProblemExtra['members'] = {}): Record<string, unknown> {
  const extensions = Object.entries(members).filter(
    ([name]) => !['type', 'title', 'status', 'detail', 'instance'].includes(name),
  )
  return mapTexts(Object.fromEntries(extensions), (text) => displayable(withoutKeys(text)))
}

function challenge({ slug, extra }: Problem, urls: ProblemLinks): string {
  const parts = [`Bearer realm="${urls.realm}"`]
  if (extra.resource) parts.push(`resource_metadata="${extra.resource.metadata}"`, `scope="${extra.resource.scope}"`)
  if (extra.challenge) {
    parts.push(`error="${extra.challenge.error}"`)
    if (extra.challenge.scope && !extra.resource) parts.push(`scope="${extra.challenge.scope}"`)
    parts.push(`error_uri="${typeUri(urls.base, slug)}"`)
  }
  return parts.join(', ')
}

interface NextStep {
  href: string
  description: string
  [grant: string]: string
}

/** Returns links to the next steps, by status. Every href names the source of the visit, except the endpoints of the grant. */
export function nextSteps(problem: Problem, urls: ProblemLinks): { next_steps?: Record<string, unknown> } {
  const { status, slug, extra } = problem
  const at = (path: string, description: string): NextStep => ({
    href: marked(urls.base + path, status),
    description,
  })
  if (status === 401) {
    const steps: Record<string, unknown> = {
      recommended: 'device_flow',
      if_no_human_present: 'agents',
      device_flow: {
        ...at(
          '/docs/keys#device',
          'Get a key by the device authorization grant (RFC 8628): a person approves once in a browser.',
        ),
        client_id: urls.device.clientId,
        device_authorization_endpoint: urls.device.deviceEndpoint,
        token_endpoint: urls.device.tokenEndpoint,
        api_keys_endpoint: `${urls.base}/developer/keys`,
      },
      get_key: at('/docs/keys', 'How to get an API key.'),
      quickstart: at('/docs/quickstart', 'The first request, step by step.'),
      agents: at('/docs/agents', 'How software acting for a person gets and keeps a key.'),
      onboarding_mcp: at('/docs/mcp', 'Connect an assistant through the Model Context Protocol.'),
      key_handling: at('/docs/keys#handling', 'How to keep a key: on a server, in a header, never in a URL.'),
      errors: at(`/errors/${slug}`, 'What this error means.'),
    }
    if (urls.x402) steps['keyless_x402'] = at('/docs/x402', 'Pay for a single call without a key (x402).')
    return { next_steps: steps }
  }
  if (status === 402 && slug === 'unauthorized') {
    return {
      next_steps: {
        recommended: 'keyless_x402',
        keyless_x402: at('/docs/x402', 'Pay for a single call without a key (x402).'),
        get_key: at('/docs/keys', 'How to get an API key.'),
        errors: at(`/errors/${slug}`, 'What this error means.'),
      },
    }
  }
  if (status === 402 || slug === 'trial-route-not-allowed') {
    return {
      next_steps: {
        recommended: 'claim',
        claim: {
          href: extra.claim ? marked(extra.claim, status) : marked(`${urls.base}/auth/claim`, status),
          description: 'Claim this key with an email address: it continues as a free key.',
        },
        errors: at(`/errors/${slug}`, 'What this error means.'),
      },
    }
  }
  if (status === 403) {
    return {
      next_steps: {
        recommended: 'get_key',
        get_key: at('/docs/keys', 'How to get a key that allows this.'),
        errors: at(`/errors/${slug}`, 'What this error means.'),
      },
    }
  }
  if (status === 429) {
    return {
      next_steps: {
        recommended: 'upgrade',
        upgrade: at('/docs/plans#upgrade', 'Choose a plan with larger limits.'),
        pricing: at('/docs/plans', 'The plans and their limits.'),
        usage: at('/docs/plans#usage', 'How to read the remaining calls of a limit.'),
        errors: at(`/errors/${slug}`, 'What this error means.'),
      },
    }
  }
  return {}
}

function marked(href: string, status: number): string {
  const [before, fragment] = href.split('#', 2) as [string, string | undefined]
  const mark = `utm_source=api&utm_medium=problem-json&utm_campaign=${status}`
  return `${before}${before.includes('?') ? '&' : '?'}${mark}${fragment === undefined ? '' : `#${fragment}`}`
}
