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
  /** Returns the type of an answer. An object without a name gets one from its operation. */
  answer(schema: JsonSchema, operation: string): string
  /** Returns the names of the types of answers. */
  answers(): string[]
  /** Returns the text of the module. */
  text(): string
}

/** Escapes a text for a docstring. */
export const clean = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/\s+/g, ' ').trim()
const pascal = (text: string) =>
  text
    .split(/[^a-z0-9]/i)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
/** Keywords of Python, and members of pydantic's models. */
const reserved = new Set(['from', 'import', 'class', 'global', 'in', 'is', 'not', 'copy', 'json', 'schema', 'validate'])

/**
 * Generates pydantic classes: one for each schema, and one for each object in a schema, named after its place in the
 * schema.
 */
export function pythonModels(schemas: Readonly<Record<string, JsonSchema>>): PythonModels {
  const classes = new Map<string, string>()
  const answers = new Set<string>()
  const isNullable = ({ type }: JsonSchema) => Array.isArray(type) && type.includes('null')

  const typeOf = (schema: JsonSchema, name: string): string => {
    const plain = plainType(schema, name)
    return isNullable(schema) && plain !== 'Any' ? `${plain} | None` : plain
  }
  const plainType = (schema: JsonSchema, name: string): string => {
    if (schema.$ref) return schema.$ref.replace(/^.*\//, '')
    if (schema.oneOf)
      return [...new Set(schema.oneOf.map((choice, i) => typeOf(choice, `${name}${i || ''}`)))].join(' | ')
    const type = Array.isArray(schema.type) ? schema.type.find((word) => word !== 'null') : schema.type
    const words = schema.enum?.filter((word) => word !== null)
    // The type is open, because a later server may use further words.
    if (words && type === 'string') return `Literal[${words.map((word) => JSON.stringify(word)).join(', ')}] | str`
    if (type === 'string') return schema.format === 'date-time' ? 'datetime' : schema.format === 'date' ? 'date' : 'str'
    if (type === 'integer') return 'int'
    if (type === 'number') return 'float'
    if (type === 'boolean') return 'bool'
    if (type === 'array') return `list[${schema.items ? typeOf(schema.items, singular(name)) : 'Any'}]`
    if (type === 'object' && Object.keys(schema.properties ?? {}).length > 0) return define(schema, name)
    const values = schema.additionalProperties
    if (type === 'object' && typeof values === 'object' && values !== null && Object.keys(values).length > 0)
      return `dict[str, ${typeOf(values as JsonSchema, `${name}Value`)}]`
    return type === 'object' ? 'dict[str, Any]' : 'Any'
  }
  const define = (schema: JsonSchema, name: string): string => {
    const lines = Object.entries(schema.properties ?? {}).flatMap(([member, memberSchema]) => {
      const required = schema.required?.includes(member)
      const type = typeOf(memberSchema, name + pascal(member))
      const safe = reserved.has(member) || !/^[a-z]\w*$/i.test(member) ? `${member.replace(/\W/g, '_')}_` : member
      const optional = required || type === 'Any' || type.endsWith('| None') ? type : `${type} | None`
      const value =
        safe === member ? (required ? '' : ' = None') : ` = Field(${required ? '' : 'None, '}alias="${member}")`
      const { description, 'x-unit': unitName } = memberSchema
      const unit = unitName && unitName !== '1' ? `; ${unitName}` : ''
      return [`    ${safe}: ${optional}${value}`, ...(description ? [`    """${clean(description + unit)}"""`] : [])]
    })
    const docs = schema.description ? [`    """${clean(schema.description)}"""`, ''] : []
    const text = [`class ${name}(Model):`, ...docs, ...(lines.length > 0 ? lines : ['    pass'])].join('\n')
    const existing = classes.get(name)
    if (existing !== undefined && existing !== text) return define(schema, `${name}_`)
    classes.set(name, text)
    return name
  }
  for (const [name, schema] of Object.entries(schemas)) define(schema, name)
  return {
    answer(schema, operation) {
      // If the answer is JSON or GeoJSON, the client uses JSON, which is first.
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
