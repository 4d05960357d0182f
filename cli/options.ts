/** Options made from the contract's schemas, and their values. */
import * as z from 'zod/mini'
import { issueMessage } from '../src/domain/lib/issues.ts'
import { metaOf } from '../src/api/contract/fields.ts'
import { usageError } from './failure.ts'
import { fieldsOf, inputSchema, type JsonSchema } from './inputSchema.ts'
import { typedName } from './words.ts'

export interface Option {
  /** As it is typed, without the dashes. */
  readonly name: string
  /** The field of the schema that it sets. */
  readonly field: string
  /** What is typed behind it; undefined for a flag, which takes nothing. */
  readonly placeholder: string | undefined
  readonly isRequired: boolean
  /** Returns the value of the field. Throws a usage error for a text that cannot be one. */
  readonly read: (text: string) => unknown
}

/** A text of `true` and `false` in a query is a flag too. */
const isFlag = ({ type, enum: values }: JsonSchema) =>
  type === 'boolean' || (values?.length === 2 && values.includes('true') && values.includes('false'))

/** The alternatives of a schema. */
const alternatives = (schema: JsonSchema): readonly JsonSchema[] => schema.anyOf?.flatMap(alternatives) ?? [schema]
const valuesOf = ({ const: only, enum: values }: JsonSchema): readonly unknown[] =>
  values ?? (only === undefined ? [] : [only])

/** Returns the options for the fields of an object's schema. */
export function optionsOf(schema: z.core.$ZodType): readonly Option[] {
  const json = inputSchema(schema)
  const shape = 'shape' in schema ? (schema.shape as Readonly<Record<string, z.core.$ZodType>>) : {}
  return fieldsOf(json).map(([field, fieldSchema]) => {
    const name = typedName(field)
    const flag = isFlag(fieldSchema)
    const isQueryFlag = flag && fieldSchema.type !== 'boolean'
    const names = namesOf(shape[field], fieldSchema)
    return {
      name,
      field,
      placeholder: flag ? undefined : placeholderOf(fieldSchema, names),
      isRequired: json.required?.includes(field) ?? false,
      read: text => (isQueryFlag ? text : valueOf(fieldSchema, text, names, name)),
    }
  })
}

/** The names under which the console shows the values of a field, in lower case. */
type Names = ReadonlyMap<string, unknown>
function namesOf(schema: z.core.$ZodType | undefined, json: JsonSchema): Names {
  const names = schema && metaOf(schema)?.names
  const values = alternatives(json).flatMap(one => (one.type === 'null' ? [null] : valuesOf(one)))
  return new Map(names?.length === values.length ? names.map((each, index) => [each.toLowerCase(), values[index]]) : [])
}

function placeholderOf(json: JsonSchema, names: Names): string {
  if (names.size > 0) return [...names.keys()].map(each => (each.includes(' ') ? `"${each}"` : each)).join('|')
  const kinds = alternatives(json).map(one => {
    if (valuesOf(one).length > 0) return valuesOf(one).map(String).join('|')
    if (one.type === 'array') return one.items?.type === 'object' ? 'JSON' : 'A,B'
    if (one.type === 'object') return 'JSON'
    if (one.type === 'integer' || one.type === 'number') return 'NUMBER'
    if (one.type === 'null') return 'null'
    return one.format === 'date-time' ? 'TIME' : 'TEXT'
  })
  return [...new Set(kinds)].join('|')
}

/** Returns the value of a text. What it may be is up to the schema, by which all values are checked before they are sent. */
function valueOf(json: JsonSchema, text: string, names: Names, name: string): unknown {
  const named = names.get(text.toLowerCase())
  if (named !== undefined) return named
  const kinds = alternatives(json)
  const known = kinds.flatMap(valuesOf).find(value => String(value) === text)
  if (known !== undefined) return known
  for (const one of kinds) {
    if (one.type === 'null' && text === 'null') return null
    if ((one.type === 'number' || one.type === 'integer') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
    if (one.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
    if (isJson(one, text) || (one.type === 'object' && kinds.length === 1)) return jsonOf(text, name)
    if (one.type === 'array') return text.split(',').map(part => valueOf(one.items ?? {}, part.trim(), new Map(), name))
  }
  return text
}

/** Whether a text looks like the JSON of an object or a list. */
const isJson = ({ type }: JsonSchema, text: string) =>
  (type === 'object' && /^\s*\{/.test(text)) || (type === 'array' && /^\s*\[/.test(text))

/** Returns the value of a text in JSON. Throws a usage error if it is none. */
export function jsonOf(text: string, option: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`--${option} must be JSON`)
  }
}

/** Returns the values as the schema takes them. Throws a usage error that says what is wrong with each. */
export function checked(schema: z.core.$ZodType, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const parsed = z.safeParse(schema, values, { reportInput: true })
  if (!parsed.success) throw usageError(parsed.error.issues.map(issue => issueMessage(issue)).join('\n'))
  return values
}
