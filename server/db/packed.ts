/**
 * Values in MessagePack, for objects that no statement looks into. They are half as long as their JSON, and the database
 * neither parses nor compresses them.
 */
import { customType } from 'drizzle-orm/pg-core'
import { Packr } from 'msgpackr'

// Each value names its own keys, so that any program can read it.
const packr = new Packr()

/** Returns a value from a column of type `packed`. */
export const unpack = <Value>(bytes: Uint8Array): Value => packr.unpack(bytes) as Value

/** Returns values as the text of an array parameter: `${packedArray(values)}::text::bytea[]`. Undefined is null, too. */
export const packedArray = (values: readonly unknown[]): string =>
  `{${values.map(value => (value === undefined || value === null ? 'null' : `"\\\\x${packr.pack(value).toString('hex')}"`)).join(',')}}`

/** Where a value of a blob is: its first byte, counted from 1 as in SQL, and its length, which is 0 for no value. */
export interface Place {
  readonly at: number
  readonly length: number
}

/** Returns a value as a column of type `packed` stores it. */
export const pack = (value: unknown): Uint8Array => packr.pack(value)

/**
 * Returns packed values one after the other, and where each is, for `substring(blob from at for length)`. For hundreds of
 * values, whose hexadecimal digits of an array would take the database longer to read than storing them.
 */
export function placeTogether(values: readonly (Uint8Array | undefined)[]): {
  readonly blob: Uint8Array
  readonly places: readonly Place[]
} {
  const parts = values.map(value => value ?? new Uint8Array())
  let at = 1
  const places = parts.map(({ length }) => {
    const place = { at, length }
    at += length
    return place
  })
  return { blob: Buffer.concat(parts), places }
}

/** A column that holds a value in MessagePack. */
export const packed = <Value>() =>
  customType<{ data: Value; driverData: Uint8Array }>({
    dataType: () => 'bytea',
    toDriver: value => packr.pack(value),
    fromDriver: unpack<Value>,
  })()
