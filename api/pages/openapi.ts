/** The OpenAPI document of the routes, which `npm run generate` writes. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../ingest/geo/table.ts'
import { permanentBody } from '../http/encoding.ts'
import type { Answer } from '../route.ts'
import { type FullOpenApi, functionsOf } from './agents.ts'

const MAX_BASES = 16
const published = once(
  (): FullOpenApi => JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')),
)
const documentAt = (base: string): FullOpenApi => ({ ...published(), servers: [{ url: base }] })

/** The operations that are offered to a language model as functions. */
const functionsAt = (base: string): object => functionsOf(documentAt(base))

type DocumentAnswer = (base: string) => Answer

/** Returns functions that make the answers with the two documents, of a server at a base URL. */
export function openApiAnswers(headers: Readonly<Record<string, string>>): {
  whole: DocumentAnswer
  functions: DocumentAnswer
} {
  return { whole: keptAnswers(documentAt, headers), functions: keptAnswers(functionsAt, headers) }
}

/** Keeps the answer for each base URL; there are few base URLs. */
function keptAnswers(document: (base: string) => object, headers: Readonly<Record<string, string>>): DocumentAnswer {
  const answers = new Map<string, Answer>()
  return (base) => {
    let answer = answers.get(base)
    if (!answer) {
      if (answers.size >= MAX_BASES) answers.clear()
      const body = Buffer.from(JSON.stringify(document(base)))
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
      answers.set(base, (answer = { body, etag, encoded: permanentBody(), headers }))
    }
    return answer
  }
}
