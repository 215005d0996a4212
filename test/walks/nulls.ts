/** Collects the nulls of an answer and the description of each in the OpenAPI document. */

import type { AnyJson } from '../../bin/doctor/answer-members.ts'

/** A null of an answer: its path without indices, such as `daily.day.dew_point`. */
export function* nullsOf(value: AnyJson, path: readonly string[] = []): Generator<readonly string[]> {
  if (value === null) yield path
  else if (Array.isArray(value)) for (const item of value) yield* nullsOf(item, path)
  else if (typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) yield* nullsOf(member, [...path, name])
  }
}

/** Returns the descriptions of the member at a path: its own, and those of the schemas that it refers to. */
export function descriptionsOf(document: AnyJson, root: AnyJson, path: readonly string[]): string {
  let schemas: AnyJson[] = expanded(document, root)
  for (const name of path) {
    schemas = schemas.flatMap((schema) => {
      const member = schema.properties?.[name] ?? schema.additionalProperties
      return typeof member === 'object' ? expanded(document, member) : []
    })
  }
  return schemas.flatMap(({ description }) => description ?? []).join(' | ')
}

/** Returns a schema with its parts: references, alternatives and the items of a list. */
function expanded(document: AnyJson, schema: AnyJson): AnyJson[] {
  const name = schema.$ref?.split('/').at(-1)
  const parts: AnyJson[] = [
    ...(name ? [document.components.schemas[name]] : []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  return [schema, ...parts.flatMap((part) => expanded(document, part))]
}

/** Warnings about members that have values. */
const aboutValues = new Set(['nowcast_blended', 'amount_split', 'probability_estimated', 'sources_disagree'])

/** Whether a warning of the answer names the member that is null. */
export function isWarned({ meta }: AnyJson, path: readonly string[]): boolean {
  const member = path.at(-1)
  return (meta.warnings ?? []).some(
    ({ code, fields }: AnyJson) => member !== undefined && !aboutValues.has(code) && fields?.includes(member),
  )
}
