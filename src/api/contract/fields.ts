/** Fields that several resources share, with the bounds of `docs/api.md`. */
import * as z from 'zod/mini'
import { bssidPattern, normaliseBssid } from '../../domain/bssid.ts'
import type { Quantity } from '../../domain/units.ts'
import { maxPerCall } from './endpoint.ts'
import type { uploadColumns } from './uploads.ts'

export const Id = z.string().check(z.minLength(1), z.maxLength(64))
export const ByIdPath = z.object({ id: Id })
/** ISO 8601, UTC. */
export const Time = z.iso.datetime()
/** ISO 8601 with any offset, as a person's tools may send it. */
export const TimeInput = z.iso.datetime({ offset: true })

/** PostgreSQL stores no NUL in text; neither that nor other control characters belong in a name. */
const printable = z.refine<string>(
  text => !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.test(text),
  'must not hold control characters',
)
/** One or more characters, trimmed. */
export const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most), printable)
/** Any text, also none. */
export const optionalText = (most: number) => z.string().check(z.trim(), z.maxLength(most), printable)

export const Login = z.string().check(z.trim(), z.minLength(1), z.maxLength(254), printable)
export const Password = z.string().check(z.minLength(8), z.maxLength(128))
/** A password being checked, not chosen: any length that a hash is worth computing for. */
export const GivenPassword = z.string().check(z.minLength(1), z.maxLength(128))

export const Bssid = z
  .string()
  .check(z.overwrite(normaliseBssid), z.regex(bssidPattern, 'must be twelve hex digits, such as A4:1C:09:7E:33:0B'))

export const Ids = z.array(Id).check(z.minLength(1), z.maxLength(maxPerCall))
export const ManyIds = z.strictObject({ ids: Ids })

/**
 * Devices by their key. Spelling is normalised; a malformed key is not a bad request but an id that does not exist,
 * so that in a bulk call it fails by itself.
 */
export const GivenBssid = z.string().check(z.minLength(1), z.maxLength(64), z.overwrite(normaliseBssid))
export const Bssids = z.array(GivenBssid).check(z.minLength(1), z.maxLength(maxPerCall))
export const ManyDevices = z.strictObject({ ids: Bssids })
/** The body of a call that gives many devices the same values. */
export const onMany = <Values extends z.core.$ZodLooseShape>(values: Values) =>
  z.strictObject({ ids: Bssids, ...values })
export const ByBssidPath = z.object({ bssid: GivenBssid })

/** `a,b,c` in a query, at most 500. */
export const commaList = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(12_000)),
    z.transform(joined => joined.split(',').filter(Boolean)),
  ),
  z.array(z.string().check(z.maxLength(64))).check(z.maxLength(500)),
)

/** Whether this machine's calendar knows the zone. */
function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
export const TimeZone = z.string().check(
  z.maxLength(60),
  // An offset is no zone: it does not know when clocks change.
  z.refine(name => /^[A-Za-z]/.test(name) && isZone(name), 'must be an IANA time zone, such as Europe/Berlin'),
)

export const whole = (least: number, most: number) => z.number().check(z.int(), z.gte(least), z.lte(most))
export const number = (least: number, most: number) => z.number().check(z.gte(least), z.lte(most))

/** What a form or a palette page shows for a field. */
export interface FieldMeta {
  readonly label: string
  /** A person's word for each value of an enumeration, in the order of the values. */
  readonly names?: readonly string[]
  readonly unit?: string
  /** An amount that is shown and typed in the unit the person chose. */
  readonly quantity?: Quantity
  readonly hint?: string
  /** What leaving it out does, where that is more than keeping what is. */
  readonly leftOut?: string
  /** How many numbers a list of them holds. */
  readonly count?: number
  /** The entity whose rows an uploaded file holds. */
  readonly template?: keyof typeof uploadColumns
  /** `many` lines, a `secret`. */
  readonly as?: 'many' | 'secret'
}
const fieldMetas = new WeakMap<z.core.$ZodType, FieldMeta>()
/** The schema with a label for forms; a copy, because calls share schemas that forms call by different names. */
export function labelled<S extends z.core.$ZodType>(schema: S, meta: FieldMeta): S {
  const own = z.core.clone(schema)
  fieldMetas.set(own, meta)
  return own
}
/** The label of a field, from the schema or from what it wraps (optional, nullable, default). */
export function metaOf(schema: z.core.$ZodType): FieldMeta | undefined {
  const own = fieldMetas.get(schema)
  if (own) return own
  const inner: unknown = 'innerType' in schema._zod.def ? schema._zod.def.innerType : undefined
  return inner instanceof z.core.$ZodType ? metaOf(inner) : undefined
}
