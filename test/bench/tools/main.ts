/**
 * `npm run eval:tools [-- --model URL]` evaluates the tools with questions whose answers the simulator knows. A scripted chooser selects a
 * tool by the words of the descriptions. A model at an address may select instead, and its answer in prose is judged. Fails on any false
 * all-clear, and if the text of a usual answer is too long.
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
  /** The answer of a model in prose; undefined for the scripted chooser, whose answer is the text. */
  readonly answer?: string
  /** Tokens of all texts that were read for the question. */
  readonly tokens: number
}

/** The text without the line that marks simulated data. */
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

/** The text of a call. A protocol error, such as for an unknown tool, is given to the model in words, as a host does. */
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
  const prompt = `${question.text} Answer with ${question.form}.`
  let [text, tokens] = ['', 0]
  for (let i = 0; i <= MAX_CALLS; i++) {
    const next = await askModel(values.model, { question: prompt, tools: listed, history })
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

const share = (list: readonly Outcome[], test: (outcome: Outcome) => boolean) =>
  `${list.filter(test).length}/${list.length}`.padStart(8)
const rightTool = ({ question, calls }: Outcome) => calls.some((name) => question.tools.includes(name))
/** Whether the user gets the right value, from a model's answer in prose or else from the text of the tool. */
const rightValue = ({ question, text, answer }: Outcome) =>
  answer === undefined ? question.right(text) : question.judge(answer)
const falseAllClear = ({ question, text, answer }: Outcome) =>
  isFalseAllClear(question, answer ?? text, answer !== undefined)
console.log('kind          right tool   right value  calls  tokens (mean, most)  false all-clears')
for (const kind of [...new Set(questions.map(({ kind }) => kind)), 'all'] as const) {
  const list = kind === 'all' ? outcomes : outcomes.filter(({ question }) => question.kind === kind)
  const counts = list.map(({ tokens }) => tokens)
  const mean = Math.round(counts.reduce((sum, count) => sum + count, 0) / list.length)
  const calls = list.reduce((sum, outcome) => sum + outcome.calls.length, 0) / list.length
  console.log(
    `${kind.padEnd(12)} ${share(list, rightTool)}     ${share(list, rightValue)}    ${calls.toFixed(1)}    ${String(mean).padStart(4)}, ${Math.max(...counts)}              ${list.filter(falseAllClear).length}`,
  )
}
const wrong = outcomes.filter((outcome) => !rightTool(outcome) || !rightValue(outcome))
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
