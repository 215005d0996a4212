// Entry point of the MCP bundle: it serves the tools of a Hexcast server on stdin and stdout.
import { forwardTools } from './forward.mjs'

const { HEXCAST_URL: url, HEXCAST_KEY: key } = process.env
if (!url || !key) {
  console.error('hexcast: set HEXCAST_URL to the address of a Hexcast server, and HEXCAST_KEY to an API key of it.')
  process.exit(2)
}
await forwardTools(url, key)
// Every reply has been written, but the open stdin would keep the process alive.
process.exit(0)
