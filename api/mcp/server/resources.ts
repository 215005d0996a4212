import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { families } from '../../dataset/dataset.ts'
import { check, outputSchema } from '../protocol/check.ts'
import type { McpDeps } from '../protocol/deps.ts'
import { toolErrorOf } from '../protocol/error.ts'
import type { Tool } from '../protocol/tool.ts'
import { tools } from '../tools/index.ts'
import { guide } from '../words/guide.ts'
import { ALERT_TEMPLATE, alertPlace, isAlertUri } from './alert-resource.ts'
import { completePlace } from './prompts.ts'
import { widgetPage } from './widget.ts'

const WIDGET = 'ui://weather-widget/v1/index.html'

export const resources = [
  {
    uri: WIDGET,
    name: 'weather-widget',
    title: 'Weather widget',
    description: 'Draws forecasts, alerts and air quality in a host that shows MCP apps.',
    mimeType: 'text/html;profile=mcp-app',
    _meta: { ui: { csp: {}, prefersBorder: true } },
  },
  {
    uri: 'hexcast://datasets',
    name: 'datasets',
    title: 'Datasets',
    description: 'Every dataset, as list_datasets gives it.',
    mimeType: 'application/json',
  },
  {
    uri: 'hexcast://guide',
    name: 'guide',
    title: 'Guide',
    description: 'Units, names, errors, and which tool when.',
    mimeType: 'text/markdown',
  },
]

export const resourceTemplates = [
  {
    uriTemplate: ALERT_TEMPLATE,
    name: 'alerts',
    title: 'Alerts at a place',
    description:
      'Alerts in effect at a place, as get_alerts gives them: hexcast://alerts/Denver%2C%20CO. Subscribe to be notified when one begins, changes or ends there, or when they are not known.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'hexcast://datasets/{dataset_id}',
    name: 'dataset',
    title: 'Dataset',
    description: 'One dataset, as describe_dataset gives it.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'hexcast://schemas/{tool}',
    name: 'schema',
    title: 'Output schema',
    description: 'JSON Schema of what one tool gives, to its whole depth.',
    mimeType: 'application/schema+json',
  },
]

export async function readResource(deps: McpDeps, uri: string): Promise<object> {
  const text = (mimeType: string, body: string, more: object = {}) => ({
    contents: [{ uri, mimeType, text: body, ...more }],
  })
  if (uri === WIDGET)
    return text('text/html;profile=mcp-app', widgetPage(), { _meta: { ui: { csp: {}, prefersBorder: true } } })
  if (uri === 'hexcast://guide') return text('text/markdown', guide)
  const given = (name: string, args: object) => toolJson(deps, name, args)
  if (uri === 'hexcast://datasets') return text('application/json', await given('list_datasets', {}))
  if (isAlertUri(uri)) return text('application/json', await given('get_alerts', alertPlace(uri)))
  const one = /^hexcast:\/\/datasets\/([\w-]{1,80})$/.exec(uri)
  if (one) return text('application/json', await given('describe_dataset', { dataset_id: one[1] }))
  const name = /^hexcast:\/\/schemas\/([a-z_]{1,60})$/.exec(uri)?.[1]
  const output = tools.find((candidate) => candidate.name === name)?.output
  if (output) return text('application/schema+json', JSON.stringify(outputSchema(output)))
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Resource not found: ${uri.slice(0, 200)}. resources/list names them.`,
    { uri },
  )
}

/** The structured result of a tool, as JSON. @throws ProtocolError where it would fail */
async function toolJson(deps: McpDeps, name: string, args: object): Promise<string> {
  const one = tools.find((candidate) => candidate.name === name) as Tool
  const context = {
    now: deps.clock(),
    caller: deps.caller,
    signal: new AbortController().signal,
    deps: deps.deps,
    progress: async () => {},
    count: async () => {},
    reused: () => {},
  }
  try {
    return JSON.stringify((await one.run(check(one, args), context)).structured)
  } catch (error) {
    const known = toolErrorOf(error)
    if (!known) throw error
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${known.message} ${known.next}`)
  }
}

export function completeResource(deps: McpDeps, uri: string, argument: { name: string; value: string }): string[] {
  if (uri === 'hexcast://schemas/{tool}' && argument.name === 'tool')
    return tools.filter(({ name, output }) => output && name.startsWith(argument.value)).map(({ name }) => name)
  if (uri === ALERT_TEMPLATE && argument.name === 'location') return completePlace(argument.value)
  if (uri !== 'hexcast://datasets/{dataset_id}' || argument.name !== 'dataset_id') return []
  return families(deps)
    .map(({ id }) => id)
    .filter((id) => id.startsWith(argument.value.toLowerCase()))
}
