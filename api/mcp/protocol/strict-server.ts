import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'

/**
 * A server that answers parameters which do not match the schema of their method as invalid parameters (-32602), as JSON-RPC requires.
 * The SDK throws a plain Error with the issues of zod as its text and answers with an internal error (-32603).
 */
export class StrictServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Server['_wrapHandler']>) {
    const wrapped = super._wrapHandler(method, handler)
    return async (...[request, context]: Parameters<typeof wrapped>) => {
      try {
        return await wrapped(request, context)
      } catch (error) {
        const faults = faultsOf(error)
        throw faults ? new ProtocolError(ProtocolErrorCode.InvalidParams, `${method}: ${faults}.`) : error
      }
    }
  }
}

interface SchemaIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Returns `params.uri: Invalid input: expected string, received undefined`; undefined for any other error. */
function faultsOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.constructor !== Error || !error.message.startsWith('[')) return undefined
  try {
    const issues = JSON.parse(error.message) as readonly SchemaIssue[]
    return issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.join('.') || 'params'}: ${message}`)
      .join('; ')
      .slice(0, 500)
  } catch {
    return undefined
  }
}
