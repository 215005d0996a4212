/**
 * `npm run eval:tools [-- --model URL]`: questions whose answers the simulator knows, asked of the tools. A scripted chooser follows
 * the descriptions by their words alone; a model at an address may take its place, and is
 * judged by the answer that it gives. Fails on any false all-clear, and where the text of a usual answer is too long.
 */
import { parseArgs } from 'node:util'
import { tools } from '../../../api/mcp/tools/index.ts'
import { skyServer } from '../../api/sky-server.ts'
import { askModel, scripted } from './chooser.ts'
import { isFalseAllClear, type Question, questionsAt } from './questions.ts'
import { sizesOfUsualAnswers } from './sizes.ts'

const { values } = parseArgs({ options: { model: { type: 'string' }, verbose: { type: 'boolean', default: false } } })
/** Maximum calls of a model for one question. */
const MAX_CALLS = 5
const choose = scripted(tools)
const now = Date.now()
const sky = await skyServer()
const { tools: listed } = await sky.client.listTools()
const questions = questionsAt(now)

interface Outcome {
  readonly question: Question
  readonly calls: readonly string[]
  /** The last text of a tool. */
  readonly text: string
  /** What a model answered in prose; undefined for the scripted chooser, which answers by the text. */
  readonly answer?: string
  /** Of all texts that were read for the question. */
  readonly tokens: number
}

/** Texts without the lines that real weather has not. */
const ownLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('SIMULATED'))
    .join('\n')
const tokensOf = (text: string) => Math.ceil(text.length / 4)

async function callTool(name: string, args: object | undefined): Promise<string> {
  const result = await sky.client.callTool({ name, arguments: args as Record<string, unknown> })
  const texts = (result.content as { type: string; text?: string }[]).find(({ type }) => type === 'text')
  return ownLines(texts?.text ?? '')
}

/** A call that the protocol refuses (an unknown tool) is given to the model in words, as a host would. */
const callOrWords = (name: string, args: object | undefined) =>
  callTool(name, args).catch((error: Error) => `Protocol error: ${error.message}`)

async function ask(question: Question): Promise<Outcome> {
  const calls: string[] = []
  if (!values.model) {
    const { tool, arguments: args } = choose(question.text)
    const text = await callTool(tool, args)
    return { question, calls: [tool], text, tokens: tokensOf(text) }
  }
  const history: object[] = []
  const asked = `${question.text} Answer with ${question.form}.`
  let [text, tokens] = ['', 0]
  for (let i = 0; i <= MAX_CALLS; i++) {
    const next = await askModel(values.model, { question: asked, tools: listed, history })
    if (next.answer !== undefined || i === MAX_CALLS)
      return { question, calls, text, answer: next.answer ?? '', tokens }
    text = await callOrWords(next.tool ?? '', next.arguments)
    tokens += tokensOf(text)
    calls.push(next.tool ?? '')
    history.push({ tool: next.tool, arguments: next.arguments, text })
  }
  return { question, calls, text, answer: '', tokens }
}

const outcomes: Outcome[] = []
for (const question of questions) outcomes.push(await ask(question))

const share = (list: readonly Outcome[], test: (one: Outcome) => boolean) =>
  `${list.filter(test).length}/${list.length}`.padStart(8)
const rightTool = ({ question, calls }: Outcome) => calls.some((name) => question.tools.includes(name))
/** The value that the user is given: a model's answer in prose, else what the text of the tool has. */
const rightValue = ({ question, text, answer }: Outcome) =>
  answer === undefined ? question.right(text) : question.judge(answer)
const falseAllClear = ({ question, text, answer }: Outcome) =>
  isFalseAllClear(question, answer ?? text, answer !== undefined)
console.log('kind          right tool   right value  calls  tokens (mean, most)  false all-clears')
for (const kind of [...new Set(questions.map((one) => one.kind)), 'all'] as const) {
  const list = kind === 'all' ? outcomes : outcomes.filter(({ question }) => question.kind === kind)
  const tokens = list.map((one) => one.tokens)
  const mean = Math.round(tokens.reduce((sum, one) => sum + one, 0) / list.length)
  const calls = list.reduce((sum, one) => sum + one.calls.length, 0) / list.length
  console.log(
    `${kind.padEnd(12)} ${share(list, rightTool)}     ${share(list, rightValue)}    ${calls.toFixed(1)}    ${String(mean).padStart(4)}, ${Math.max(...tokens)}              ${list.filter(falseAllClear).length}`,
  )
}
const wrong = outcomes.filter((one) => !rightTool(one) || !rightValue(one))
for (const { question, calls, text, answer } of values.verbose ? wrong : wrong.slice(0, 5))
  console.log(
    `\nnot right: ${question.text}\n  ${calls.join(', ')}: ${(answer ?? text).slice(0, 300).replaceAll('\n', '\n  ')}`,
  )

const sizes = values.model ? [] : await sizesOfUsualAnswers(callTool)
await sky.close()
if (sizes.length > 0) {
  console.log('\nusual answers                          tokens (most)  at most')
  for (const { name, most, limit } of sizes) console.log(`${name.padEnd(38)} ${String(most).padStart(6)} ${limit}`)
}
const clears = outcomes.filter(falseAllClear).length
const long = sizes.filter(({ most, limit }) => most > limit)
console.log(`\n${questions.length} questions, ${clears} false all-clears, ${long.length} answers too long`)
process.exit(clears > 0 || long.length > 0 || questions.length < 200 ? 1 : 0)
