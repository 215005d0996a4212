import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** Returns the types of the TypeScript client: `paths`, `components` and `operations` for openapi-fetch. */
export async function clientTypes(document: object): Promise<string> {
  const nodes = await openapiTS(structuredClone(document) as OpenAPI3, { alphabetize: false })
  return `// Written by infra/generate/openapi.ts from the routes; do not edit.\n\n${astToString(nodes)}`
}
