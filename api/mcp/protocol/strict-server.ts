import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'

/**
 * The SDK throws a plain Error, whose text is zod's list of issues, for parameters that do not fit the schema of their method, and
 * answers it as an internal error (-32603). By JSON-RPC these are invalid parameters (-32602).
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

interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** `params.uri: Invalid input: expected string, received undefined`; undefined where the error is another one. */
function faultsOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.constructor !== Error || !error.message.startsWith('[')) return undefined
  try {
    const issues = JSON.parse(error.message) as readonly Issue[]
    return issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.join('.') || 'params'}: ${message}`)
      .join('; ')
      .slice(0, 500)
  } catch {
    return undefined
  }
}
