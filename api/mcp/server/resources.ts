import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { families } from '../../dataset/dataset.ts'
import { check, outputSchema } from '../protocol/check.ts'
import type { McpDeps } from '../protocol/deps.ts'
import { toolErrorOf } from '../protocol/error.ts'
import { tools } from '../tools/index.ts'
import { guide } from '../words/guide.ts'
import { ALERT_TEMPLATE, alertPlace, isAlertUri } from './alert-resource.ts'
import { completePlace } from './prompts.ts'
import { widgetPage } from './widget.ts'

export const WIDGET = 'ui://weather-widget/v1/index.html'

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
    description: 'JSON Schema of the result of one tool, with all nested members.',
    mimeType: 'application/schema+json',
  },
]

/** Returns the contents of a resource. @throws ProtocolError for an unknown URI, or if the tool that gives the resource fails */
export async function readResource(deps: McpDeps, uri: string): Promise<object> {
  const text = (mimeType: string, body: string, more: object = {}) => ({
    contents: [{ uri, mimeType, text: body, ...more }],
  })
  if (uri === WIDGET)
    return text('text/html;profile=mcp-app', widgetPage(), { _meta: { ui: { csp: {}, prefersBorder: true } } })
  if (uri === 'hexcast://guide') return text('text/markdown', guide)
  const json = async (name: string, args: object) => text('application/json', await toolJson(deps, name, args))
  if (uri === 'hexcast://datasets') return json('list_datasets', {})
  if (isAlertUri(uri)) return json('get_alerts', alertPlace(uri))
  const dataset = /^hexcast:\/\/datasets\/([\w-]{1,80})$/.exec(uri)?.[1]
  if (dataset) return json('describe_dataset', { dataset_id: dataset })
  const name = /^hexcast:\/\/schemas\/([a-z_]{1,60})$/.exec(uri)?.[1]
  const output = tools.find((candidate) => candidate.name === name)?.output
  if (output) return text('application/schema+json', JSON.stringify(outputSchema(output)))
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Resource not found: ${uri.slice(0, 200)}. resources/list gives the resources.`,
    { uri },
  )
}

/** Returns the structured result of a tool as JSON. @throws ProtocolError if the tool fails */
async function toolJson(deps: McpDeps, name: string, args: object): Promise<string> {
  const tool = tools.find((candidate) => candidate.name === name)
  if (!tool) throw new Error(`no tool is called ${name}`)
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
    return JSON.stringify((await tool.run(check(tool, args), context)).structured)
  } catch (error) {
    const toolError = toolErrorOf(error)
    if (!toolError) throw error
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${toolError.message} Next: ${toolError.next}`)
  }
}

/** Returns suggested values for an argument of a resource template. */
export function completeResource(deps: McpDeps, uri: string, argument: { name: string; value: string }): string[] {
  if (uri === 'hexcast://schemas/{tool}' && argument.name === 'tool')
    return tools.filter(({ name, output }) => output && name.startsWith(argument.value)).map(({ name }) => name)
  if (uri === ALERT_TEMPLATE && argument.name === 'location') return completePlace(argument.value)
  if (uri !== 'hexcast://datasets/{dataset_id}' || argument.name !== 'dataset_id') return []
  return families(deps)
    .map(({ id }) => id)
    .filter((id) => id.startsWith(argument.value.toLowerCase()))
}
