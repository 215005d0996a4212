import { tools } from '../../api/mcp/tools/index.ts'
import { instructions } from '../../api/mcp/words/instructions.ts'
import { textOf } from '../build-kernels.ts'

interface Package {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly mcpName: string
}
const own = JSON.parse(textOf('package.json')) as Package

const ADDRESS = 'Address of a Hexcast server, such as http://localhost:8080.'
const KEY = 'API key of that server.'
/** Description, for which the registry allows at most 100 characters. */
const DESCRIPTION = 'US weather from NOAA: forecasts, alerts, radar, observations, and datasets to query.'

const firstSentence = (text: string) => /^.*?[.:](?=\s|$)/s.exec(text)?.[0] ?? text

/** Returns `manifest.json` of the bundle (MCPB 0.3), which is a small program that passes all calls on to a server. */
export function bundleManifest() {
  return {
    manifest_version: '0.3',
    name: 'hexcast',
    display_name: 'Hexcast weather',
    version: own.version,
    description: DESCRIPTION,
    long_description: instructions,
    author: { name: 'Hexcast' },
    icon: 'icon.png',
    license: own.license,
    keywords: ['weather', 'forecast', 'alerts', 'radar', 'NOAA'],
    server: {
      type: 'node',
      entry_point: 'server/entry.mjs',
      mcp_config: {
        command: 'node',
        // The host replaces the words in braces.
        args: ['$' + '{__dirname}/server/entry.mjs'],
        env: { HEXCAST_URL: '$' + '{user_config.url}', HEXCAST_KEY: '$' + '{user_config.key}' },
      },
    },
    user_config: {
      url: { type: 'string', title: 'Server', description: ADDRESS, required: true, default: 'http://localhost:8080' },
      key: { type: 'string', title: 'API key', description: KEY, required: true, sensitive: true },
    },
    tools: tools.map(({ name, description }) => ({ name, description: firstSentence(description) })),
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20' } },
  }
}

/** Returns `server.json`, the entry of an MCP registry for the package and for self-hosted servers. */
export function registryEntry() {
  const variable = (name: string, description: string, details: object = {}) => ({ name, description, ...details })
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: own.mcpName,
    title: 'Hexcast',
    description: DESCRIPTION,
    version: own.version,
    packages: [
      {
        registryType: 'npm',
        identifier: 'hexcast',
        version: own.version,
        runtimeHint: 'npx',
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        transport: { type: 'stdio' },
        environmentVariables: [
          variable('HEXCAST_URL', `${ADDRESS} Without it the process reads the data in DATA_DIR.`, {
            format: 'string',
          }),
          variable('HEXCAST_KEY', KEY, { isSecret: true }),
          variable('DATA_DIR', 'Folder of a Hexcast installation on this machine.', { format: 'filepath' }),
        ],
      },
    ],
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://{host}/mcp',
        variables: { host: { description: 'Name of the Hexcast host.', isRequired: true } },
        headers: [
          variable('Authorization', '"Bearer" and an API key. Without it the client signs in by OAuth.', {
            value: 'Bearer {key}',
            variables: { key: { description: KEY, isSecret: true } },
          }),
        ],
      },
    ],
  }
}
