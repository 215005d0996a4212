/** Lists the tools of the server with a stock MCP client, then calls one. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { HEXCAST_URL: baseUrl = 'http://localhost:8080', HEXCAST_KEY: key } = process.env
const client = new Client({ name: 'hexcast-example', version: '1' })
const requestInit = { headers: { Authorization: `Bearer ${key}` } }
await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit }))
const { tools } = await client.listTools()
console.log(`${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`)
const result = await client.callTool({
  name: 'get_sun_moon',
  arguments: { location: 'Fairbanks, AK', date: '2026-06-20' },
})
const [first] = result.content as { type: string; text?: string }[]
console.log(first?.text)
await client.close()
