/** The contract's schemas as JSON Schema, from which options, and the requests of tests, are generated. */
import * as z from 'zod/mini'

/** The part of JSON Schema that the contract's schemas become. */
export interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly minItems?: number
}

/** A schema's input as JSON Schema. */
export const inputSchema = (schema: z.core.$ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

export const fieldsOf = (schema: JsonSchema) => Object.entries(schema.properties ?? {})
