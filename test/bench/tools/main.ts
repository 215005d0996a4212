/**
 * `npm run eval:tools [-- --model URL]`: questions with answers known from the simulator, put to the tools. A scripted chooser uses
 * the descriptions only; a model at an address may replace it. Fails on any false all-clear.
 */
import { parseArgs } from 'node:util'
import { tools } from '../../../api/mcp/tools/index.ts'
import { skyServer } from '../../api/sky-server.ts'
import { askModel, scripted } from './chooser.ts'
import { type Question, questionsAt } from './questions.ts'

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
  readonly text: string
  readonly tokens: number
}

async function ask(question: Question): Promise<Outcome> {
  const calls: string[] = []
  const history: object[] = []
  let text = ''
  let answer = ''
  for (let i = 0; i < (values.model ? MAX_CALLS : 1); i++) {
    const next = values.model
      ? await askModel(values.model, { question: question.text, tools: listed, history })
      : choose(question.text)
    if ('answer' in next && next.answer !== undefined) {
      answer = next.answer
      break
    }
    const name = next.tool ?? ''
    const result = await sky.client.callTool({ name, arguments: next.arguments as Record<string, unknown> })
    text = (result.content as { type: string; text?: string }[]).find(({ type }) => type === 'text')?.text ?? ''
    calls.push(name)
    history.push({ tool: name, arguments: next.arguments, text })
  }
  const own = text
    .split('\n')
    .filter((line) => !line.startsWith('SIMULATED'))
    .join('\n')
  return { question, calls, text: answer || own, tokens: Math.ceil(own.length / 4) }
}

const outcomes: Outcome[] = []
for (const question of questions) outcomes.push(await ask(question))
await sky.close()

const share = (list: readonly Outcome[], test: (one: Outcome) => boolean) =>
  `${list.filter(test).length}/${list.length}`.padStart(8)
const rightTool = ({ question, calls }: Outcome) => calls.some((name) => question.tools.includes(name))
const rightValue = ({ question, text }: Outcome) => question.right(text)
const falseAllClear = ({ question, text }: Outcome) =>
  question.danger === true && /\bno (active )?alerts?\b/i.test(text)
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
for (const { question, calls, text } of values.verbose ? wrong : wrong.slice(0, 5))
  console.log(`\nnot right: ${question.text}\n  ${calls.join(', ')}: ${text.slice(0, 300).replaceAll('\n', '\n  ')}`)
const clears = outcomes.filter(falseAllClear).length
console.log(`\n${questions.length} questions, ${clears} false all-clears`)
process.exit(clears > 0 || questions.length < 200 ? 1 : 0)
