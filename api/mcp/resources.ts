import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { guide } from './guide.ts'
import { datasetIds } from './prompts.ts'
import type { McpDoors } from './server.ts'
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
    uriTemplate: 'hexcast://datasets/{dataset_id}',
    name: 'dataset',
    title: 'Dataset',
    description: 'One dataset, as describe_dataset gives it.',
    mimeType: 'application/json',
  },
]

export async function readResource(doors: McpDoors, uri: string): Promise<object> {
  const text = (mimeType: string, body: string, more: object = {}) => ({
    contents: [{ uri, mimeType, text: body, ...more }],
  })
  if (uri === WIDGET)
    return text('text/html;profile=mcp-app', widgetPage(), { _meta: { ui: { csp: {}, prefersBorder: true } } })
  if (uri === 'hexcast://guide') return text('text/markdown', guide)
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Resource not found: ${uri.slice(0, 200)}. resources/list names them.`,
    { uri },
  )
}

export function completeResource(uri: string, argument: { name: string; value: string }): string[] {
  void uri
  void argument
  return []
}
void datasetIds
