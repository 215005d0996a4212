/**
 * `node test/bench/tools/tdqs.ts [PROGRAM]`: checks the tool definitions with the lint of the Tool Definition Quality Score (tdqs 0.1.0
 * of PyPI), which needs no model. Without PROGRAM it is installed into .cache/tdqs. Fails on any finding that the specification of the
 * tools does not require.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listed } from '../../../api/mcp/server/server.ts'

const VERSION = '0.1.0'
/** Findings that the schemas of the specification cause: no output schema for two tools, nested required arguments for two. */
const specified: Readonly<Record<string, readonly string[]>> = {
  'no-output-schema': ['get_growing_degree_days', 'get_map_snapshot'],
  'shadow-candidate': ['compare_locations', 'get_route_weather'],
}

function installed(): string {
  const folder = fileURLToPath(new URL('../../../.cache/tdqs', import.meta.url))
  const program = join(folder, 'bin/tdqs')
  if (existsSync(program)) return program
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' })
  execFileSync(join(folder, 'bin/pip'), ['install', '--quiet', `tdqs==${VERSION}`], { stdio: 'inherit' })
  return program
}

interface Finding {
  readonly rule: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly tool: string
  readonly message: string
}

const folder = mkdtempSync(join(tmpdir(), 'hexcast-tdqs-'))
const file = join(folder, 'tools.json')
writeFileSync(file, JSON.stringify({ tools: listed() }))
const { stdout, stderr } = spawnSync(process.argv[2] ?? installed(), ['lint', '--file', file, '--format', 'json'])
rmSync(folder, { recursive: true })
if (stdout.length === 0) throw new Error(`tdqs gave no report: ${String(stderr).slice(0, 400)}`)
const report = JSON.parse(String(stdout)) as { specVersion: string; tools: object[]; findings: Finding[] }
const unexpected = report.findings.filter(({ rule, tool }) => !specified[rule]?.includes(tool))
for (const { rule, severity, tool, message } of unexpected) console.log(`${severity} ${rule}, ${tool}: ${message}`)
const count = (severity: string) => unexpected.filter((finding) => finding.severity === severity).length
console.log(
  `tdqs ${VERSION}, specification ${report.specVersion}: ${report.tools.length} tools, ${count('error')} errors, ${count('warning')} warnings, ${count('info')} notes; ${report.findings.length - unexpected.length} findings that the specification of the tools requires`,
)
process.exit(unexpected.length > 0 ? 1 : 0)
