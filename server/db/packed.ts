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

/** Returns values as the text of an array parameter: `${packedArray(values)}::text::bytea[]`. Undefined becomes null. */
export const packedArray = (values: readonly unknown[]): string =>
  `{${values.map(value => (value === undefined ? 'null' : `"\\\\x${packr.pack(value).toString('hex')}"`)).join(',')}}`

/** A column that holds a value in MessagePack. */
export const packed = <Value>() =>
  customType<{ data: Value; driverData: Uint8Array }>({
    dataType: () => 'bytea',
    toDriver: value => packr.pack(value),
    fromDriver: unpack<Value>,
  })()
