export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly oneOf?: readonly JsonSchema[]
  readonly additionalProperties?: unknown
  readonly description?: string
  readonly 'x-unit'?: string
}
export interface PythonModels {
  /** The type of an answer; an object without a name gets one from its operation. */
  answer(schema: JsonSchema, operation: string): string
  /** Names of the types of answers. */
  answers(): string[]
  text(): string
}

/** Text for a docstring. */
export const clean = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/\s+/g, ' ').trim()
const pascal = (text: string) =>
  text
    .split(/[^a-z0-9]/i)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
/** Words of the language, and members of pydantic's models. */
const reserved = new Set(['from', 'import', 'class', 'global', 'in', 'is', 'not', 'copy', 'json', 'schema', 'validate'])

/** Classes of pydantic: one a schema, and one for each object within it, named after where it stands. */
export function pythonModels(schemas: Readonly<Record<string, JsonSchema>>): PythonModels {
  const classes = new Map<string, string>()
  const answers = new Set<string>()
  const nullable = ({ type }: JsonSchema) => Array.isArray(type) && type.includes('null')

  const typeOf = (schema: JsonSchema, name: string): string => {
    const plain = plainType(schema, name)
    return nullable(schema) && plain !== 'Any' ? `${plain} | None` : plain
  }
  const plainType = (schema: JsonSchema, name: string): string => {
    if (schema.$ref) return schema.$ref.split('/').at(-1)!
    if (schema.oneOf) return [...new Set(schema.oneOf.map((one, i) => typeOf(one, `${name}${i || ''}`)))].join(' | ')
    const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
    const words = schema.enum?.filter((one) => one !== null)
    // A later server may know further words.
    if (words && type === 'string') return `Literal[${words.map((word) => JSON.stringify(word)).join(', ')}] | str`
    if (type === 'string')
      return ({ 'date-time': 'datetime', date: 'date' } as Record<string, string>)[schema.format!] ?? 'str'
    if (type === 'integer') return 'int'
    if (type === 'number') return 'float'
    if (type === 'boolean') return 'bool'
    if (type === 'array') return `list[${schema.items ? typeOf(schema.items, singular(name)) : 'Any'}]`
    if (type === 'object' && Object.keys(schema.properties ?? {}).length > 0) return define(schema, name)
    const rest = schema.additionalProperties
    if (type === 'object' && typeof rest === 'object' && rest !== null && Object.keys(rest).length > 0)
      return `dict[str, ${typeOf(rest as JsonSchema, `${name}Value`)}]`
    return type === 'object' ? 'dict[str, Any]' : 'Any'
  }
  const define = (schema: JsonSchema, name: string): string => {
    const lines = Object.entries(schema.properties ?? {}).flatMap(([member, one]) => {
      const required = schema.required?.includes(member)
      const type = typeOf(one, name + pascal(member))
      const safe = reserved.has(member) || !/^[a-z]\w*$/i.test(member) ? `${member.replace(/\W/g, '_')}_` : member
      const optional = required || type === 'Any' || type.endsWith('| None') ? type : `${type} | None`
      const value =
        safe === member ? (required ? '' : ' = None') : ` = Field(${required ? '' : 'None, '}alias="${member}")`
      const unit = one['x-unit'] && one['x-unit'] !== '1' ? `; ${one['x-unit']}` : ''
      return [
        `    ${safe}: ${optional}${value}`,
        ...(one.description ? [`    """${clean(one.description + unit)}"""`] : []),
      ]
    })
    const docs = schema.description ? [`    """${clean(schema.description)}"""`, ''] : []
    const text = [`class ${name}(Model):`, ...docs, ...(lines.length > 0 ? lines : ['    pass'])].join('\n')
    const known = classes.get(name)
    if (known !== undefined && known !== text) return define(schema, `${name}_`)
    classes.set(name, text)
    return name
  }
  for (const [name, schema] of Object.entries(schemas)) define(schema, name)
  return {
    answer(schema, operation) {
      // Of JSON and GeoJSON the former.
      const [first = schema] = schema.oneOf ?? []
      const type = typeOf(first, `${pascal(operation)}Answer`)
      if (/^\w+$/.test(type)) answers.add(type)
      return type
    },
    answers: () => [...answers].sort(),
    text: () => `from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from pydantic import Field

from .base import Model

${[...classes.values()].map((text) => `\n${text}\n`).join('\n')}`,
  }
}

const singular = (name: string) => name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
