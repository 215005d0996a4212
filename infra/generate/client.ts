import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

/** Returns the types of the TypeScript client: `paths`, `components` and `operations` for openapi-fetch. */
export async function clientTypes(document: object): Promise<string> {
  // Examples of whole answers would be comments of many lines.
  const plain = JSON.parse(JSON.stringify(document, (name, value) => (name === 'example' ? undefined : value)))
  const nodes = await openapiTS(plain as OpenAPI3, { alphabetize: false })
  return `// Written by infra/generate/openapi.ts from the routes; do not edit.\n\n${astToString(nodes)}`
}
