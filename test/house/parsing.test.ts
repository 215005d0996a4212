import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

/**
 * Files of api/ that may call JSON.parse, grouped by reason, with the number of calls. Values that this process created are passed on
 * as values: an answer has a typed form (`Weather.value`), an error carries its field and candidates as data.
 */
const allowed: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'sent by a caller': {
    'api/mcp/protocol/exchange.ts': 1,
    'api/mcp/query/page.ts': 1,
    'api/mcp/server/stdio-lines.ts': 1,
    'api/http/x402.ts': 1,
  },
  'received from another server': {
    'api/http/x402-facilitator.ts': 1,
    'api/sign-in/identity.ts': 1,
    // This process passes messages between its standard input and a remote server.
    'api/mcp/protocol/forward.ts': 3,
    'api/client/changes.ts': 1,
  },
  'read from a store': { 'api/answer/storms.ts': 1, 'api/live/radar-sites.ts': 1, 'api/sign-in/sealed.ts': 1 },
  'read from files of the project and its packages at start': { 'api/pages/assets.ts': 2, 'api/pages/openapi.ts': 1 },
  'text of the MCP SDK, which has no other form: the issues of its errors; its events, for a client that accepts JSON alone':
    {
      'api/mcp/protocol/strict-server.ts': 1,
      'api/mcp/protocol/exchange.ts': 1,
    },
  'code that runs in a browser': { 'api/pages/browser/home.ts': 1, 'api/pages/browser/state.ts': 1 },
}

/** Counts the calls in code; calls in comments do not count. */
function callsIn(text: string): number {
  const code = text
    .split('\n')
    .filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line))
    .join('\n')
  return [...code.matchAll(/\bJSON\s*\.\s*parse\b|\bparse\b[^\n]*=\s*JSON\b/g)].length
}

test('api/ parses only JSON that comes from outside the process', () => {
  const allowedCalls: Record<string, number> = {}
  for (const files of Object.values(allowed))
    for (const [file, count] of Object.entries(files)) allowedCalls[file] = (allowedCalls[file] ?? 0) + count
  const calls = sourceFiles()
    .filter((file) => file.startsWith('api/') && !file.includes('.generated.'))
    .map((file) => [file, callsIn(readFileSync(file, 'utf8'))] as const)
    .filter(([, count]) => count > 0)
  expect(Object.fromEntries(calls)).toEqual(allowedCalls)
})

test('the rule counts calls in code and none in comments', () => {
  expect(callsIn('const value = JSON.parse(body.toString())\nconst one = JSON\n  .parse(text)')).toBe(2)
  expect(callsIn('const { parse } = JSON')).toBe(1)
  expect(callsIn('/** as JSON.parse */\n// JSON.parse(text)\nJSON.stringify(value)')).toBe(0)
})
