import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createMcpServer, type McpDoors } from './server.ts'

/** The same tools on stdin and stdout, without a key. Resolves when stdin closes. */
export function serveTools(doors: McpDoors): Promise<void> {
  return new Promise((resolve) => {
    const handle = serveStdio(() => createMcpServer(doors), {
      onerror: (error) => console.error(`hexcast mcp: ${error.message}`),
    })
    process.stdin.once('end', () => void handle.close().finally(resolve))
    process.stdin.once('close', () => void handle.close().finally(resolve))
  })
}
