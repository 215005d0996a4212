import type { Route } from '../route.ts'

/** Routes of the metadata of the tool server as a protected resource (RFC 9728). */
export function wellKnownRoutes(issuer: (base: string) => string): Route[] {
  const handle: Route['handle'] = ({ base }) => ({
    body: {
      resource: `${base}/mcp`,
      authorization_servers: [issuer(base)],
      scopes_supported: ['weather:read'],
      bearer_methods_supported: ['header'],
      resource_name: 'Hexcast weather tools',
      resource_documentation: `${base}/docs/mcp`,
    },
    headers: { 'Cache-Control': 'max-age=300', 'Access-Control-Allow-Origin': '*' },
  })
  return [
    { method: 'get', path: '/.well-known/oauth-protected-resource', open: true, handle },
    { method: 'get', path: '/.well-known/oauth-protected-resource/mcp', open: true, handle },
  ]
}
