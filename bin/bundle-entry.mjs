// Entry point of the bundle: the tools of a Hexcast server, on stdin and stdout.
import { forwardTools } from './forward.mjs'

const { HEXCAST_URL: url, HEXCAST_KEY: key } = process.env
if (!url || !key) {
  console.error('hexcast: wanted HEXCAST_URL, the address of a Hexcast server, and HEXCAST_KEY, an API key of it.')
  process.exit(2)
}
await forwardTools(url, key)
// An open stdin keeps the process alive: every reply has been written.
process.exit(0)
