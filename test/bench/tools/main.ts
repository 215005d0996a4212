/**
 * `npm run eval:tools [-- --server URL] [--key KEY] [--adapter FILE] [--model URL] [--wait MINUTES] [--verbose]` asks a tool server questions whose answers
 * the simulator knows, and judges the texts of the answers alone. `docs/EVALUATION.md` describes the options. Fails on any false all-clear,
 * below 98 % of right answers, below 400 questions, on a tool without a question, and on texts that are too long.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { askModel } from './model.ts'
import { isFalseAllClear, judge, type Question } from './question.ts'
import { questionsAt } from './questions.ts'
import { ownServer, serverAt } from './servers.ts'
import { sizesOfUsualAnswers } from './sizes.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    key: { type: 'string' },
    adapter: { type: 'string' },
    model: { type: 'string' },
    wait: { type: 'string', default: '60' },
    verbose: { type: 'boolean', default: false },
  },
})

/** Calls of another server, and the parts of its texts that answer. */
interface Adapter {
  callOf(question: Question): { tool: string; arguments: object } | undefined
  partOf?(question: Question, text: string): string | undefined
}

/** Maximum calls of a model for one question. */
const MAX_CALLS = 5
const LEAST_QUESTIONS = 400
const LEAST_SHARE = 0.98

const adapter = values.adapter ? ((await import(pathToFileURL(resolve(values.adapter)).href)) as Adapter) : undefined
const refuse = (reason: string): never => {
  console.error(reason)
  process.exit(2)
}
const wait = Number(values.wait)
if (!(wait >= 0)) refuse(`--wait must be a number of minutes, but was "${values.wait}".`)
const server = values.server
  ? await serverAt(values.server, values.key, wait).catch((error: Error) => refuse(error.message))
  : await ownServer()

interface Outcome {
  readonly question: Question
  readonly tools: readonly string[]
  /** The text of the last call, or the answer of a model. */
  readonly text: string
  readonly isRight: boolean
  readonly isFalseClear: boolean
  /** Tokens (four characters each) of all texts that were read for the question. */
  readonly tokens: number
}

const tokensOf = (text: string) => Math.ceil(text.length / 4)

async function ask(question: Question): Promise<Outcome> {
  if (values.model) return askWith(values.model, question)
  const { tool, arguments: args } = adapter?.callOf(question) ?? question.call
  const text = await server.call(tool, args)
  const part = adapter?.partOf ? adapter.partOf(question, text) : question.part(text)
  const read = adapter?.partOf ? { ...question, part: () => part } : question
  return {
    question,
    tools: [tool],
    text,
    isRight: judge(question.expected, part),
    isFalseClear: isFalseAllClear(read, text, false),
    tokens: tokensOf(text),
  }
}

async function askWith(model: string, question: Question): Promise<Outcome> {
  const [history, tools]: [object[], string[]] = [[], []]
  let tokens = 0
  const prompt = `${question.text} Answer with ${question.form}. If it cannot be known, say so.`
  for (let i = 0; ; i++) {
    const next = await askModel(model, { question: prompt, tools: server.tools, history })
    if (next.answer !== undefined || i === MAX_CALLS) {
      const text = next.answer ?? ''
      const isRight = judge(question.expected, text)
      return { question, tools, text, isRight, isFalseClear: isFalseAllClear(question, text, true), tokens }
    }
    const text = await server.call(next.tool ?? '', next.arguments ?? {})
    tokens += tokensOf(text)
    tools.push(next.tool ?? '')
    history.push({ tool: next.tool, arguments: next.arguments, text })
  }
}

const all = questionsAt(server.now)
const questions = all.filter(
  (question) =>
    (server.enter || question.state === 'ordinary') && (!adapter || values.model || adapter.callOf(question)),
)
const outcomes: Outcome[] = []
const sizes: Awaited<ReturnType<typeof sizesOfUsualAnswers>> = []
let state: Question['state'] = 'ordinary'
for (const question of questions) {
  if (question.state !== state) {
    if (!values.server) sizes.push(...(state === 'ordinary' ? await sizesOfUsualAnswers(server.call) : []))
    state = question.state
    await server.enter?.(state)
  }
  outcomes.push(await ask(question))
}
await server.close()

const mean = (list: readonly Outcome[]) =>
  Math.round(list.reduce((sum, { tokens }) => sum + tokens, 0) / Math.max(1, list.length))
const most = (list: readonly Outcome[]) => Math.max(0, ...list.map(({ tokens }) => tokens))
const count = (list: readonly Outcome[], test: (outcome: Outcome) => boolean) => list.filter(test).length
const isRight = (outcome: Outcome) => outcome.isRight
const isFalseClear = (outcome: Outcome) => outcome.isFalseClear

const names = [...new Set(outcomes.flatMap(({ tools }) => tools))].sort()
console.log('tool                         questions  right  false all-clears  tokens (mean, most)')
for (const name of names) {
  const list = outcomes.filter(({ tools }) => tools.includes(name))
  const cells = [
    String(list.length).padStart(9),
    String(count(list, isRight)).padStart(6),
    String(count(list, isFalseClear)).padStart(17),
    `${mean(list)}, ${most(list)}`.padStart(20),
  ]
  console.log(`${name.padEnd(28)} ${cells.join(' ')}`)
}
const wrong = outcomes.filter((outcome) => !outcome.isRight || outcome.isFalseClear)
for (const { question, tools, text, isFalseClear } of values.verbose ? wrong : wrong.slice(0, 10)) {
  const { expected } = question
  const expectedText = JSON.stringify(expected, (_, value) => (value instanceof RegExp ? String(value) : value))
  console.log(
    `\n${isFalseClear ? 'FALSE ALL-CLEAR' : 'wrong'} (${question.state}): ${question.text} wanted ${expectedText}`,
  )
  console.log(`  ${tools.join(', ')}: ${text.slice(0, values.verbose ? 1500 : 300).replaceAll('\n', '\n  ')}`)
}
if (sizes.length > 0) {
  console.log('\nusual answers                          tokens (most)  at most')
  for (const { name, most: tokens, limit } of sizes)
    console.log(`${name.padEnd(38)} ${String(tokens).padStart(6)} ${limit}`)
}
const right = count(outcomes, isRight)
const clears = count(outcomes, isFalseClear)
const share = right / Math.max(1, outcomes.length)
const long = sizes.filter(({ most: tokens, limit }) => tokens > limit)
const unasked = values.server ? [] : server.tools.filter(({ name }) => !names.includes(name))
console.log(`\nquestions           ${outcomes.length}
right               ${right} (${(100 * share).toFixed(1)} %)
wrong               ${outcomes.length - right}
false all-clears    ${clears}
tokens per answer   ${mean(outcomes)} (most ${most(outcomes)})
answers too long    ${long.length}
tools not asked     ${values.server ? '-' : unasked.map(({ name }) => name).join(', ') || 'none'}`)
const isBad = clears > 0 || share < LEAST_SHARE || outcomes.length < LEAST_QUESTIONS || long.length + unasked.length > 0
process.exit(isBad && !(values.model && share >= LEAST_SHARE && clears === 0) ? 1 : 0)
