/** Fields that several resources share, with the limits in `docs/api.md`. */
import * as z from 'zod/mini'
import { bssidPattern, normaliseBssid } from '../../domain/bssid.ts'
import { messages } from '../../domain/messages.ts'
import type { Quantity } from '../../domain/units.ts'
import { maxPerCall } from './endpoint.ts'
import type { uploadColumns } from '../../domain/uploads.ts'

export const Id = z.string().check(z.minLength(1), z.maxLength(64))
export const ByIdPath = z.object({ id: Id })
/** ISO 8601, UTC. */
export const Time = z.iso.datetime()
/** ISO 8601 with any offset, as clients may send it. */
export const TimeInput = z.iso.datetime({ offset: true })

/** Rejects control characters; PostgreSQL cannot store NUL in text. */
const printable = z.refine<string>(
  text => !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.test(text),
  'must not contain control characters',
)
/** Non-empty text, trimmed. */
export const text = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max), printable)
/** Text that may be empty, trimmed. */
export const optionalText = (max: number) => z.string().check(z.trim(), z.maxLength(max), printable)

/** A vendor, as rows that belong to it name it. */
export const VendorName = z.object({ _id: Id, company_name: z.string() })

/** The label of a water supply, by which devices with the same feed water are found. */
export const WaterSupply = text(100)

export const Login = z.string().check(z.trim(), z.minLength(1), z.maxLength(254), printable)
export const Password = z.string().check(z.minLength(8), z.maxLength(128))
/** A password to verify, not to set: any length that could be a password. */
export const EnteredPassword = z.string().check(z.minLength(1), z.maxLength(128))
/** A code of a second factor, from an authenticator or a recovery code, as a person types it. */
export const EnteredCode = z.string().check(z.trim(), z.minLength(1), z.maxLength(64))

export const Bssid = z
  .string()
  .check(z.overwrite(normaliseBssid), z.regex(bssidPattern, 'must be twelve hex digits, such as A4:1C:09:7E:33:0B'))

export const Ids = z.array(Id).check(z.minLength(1), z.maxLength(maxPerCall))
/** The body of a bulk call that needs only ids. */
export const ManyIds = z.strictObject({ ids: Ids })

/**
 * A bssid in any spelling, normalised. A malformed one is not a bad request but an id that does not exist, so that in a
 * bulk call only that id fails.
 */
export const BssidInput = z.string().check(z.minLength(1), z.maxLength(64), z.overwrite(normaliseBssid))
export const Bssids = z.array(BssidInput).check(z.minLength(1), z.maxLength(maxPerCall))
/** The body of a bulk call that needs only the bssids of devices. */
export const ManyDevices = z.strictObject({ ids: Bssids })
/** Returns the body of a call that sets the same values on many devices. */
export const bulkDeviceBody = <Values extends z.core.$ZodLooseShape>(values: Values) =>
  z.strictObject({ ids: Bssids, ...values })
export const ByBssidPath = z.object({ bssid: BssidInput })

/**
 * Returns the body of a call that changes some of these fields. A field may be left out, and then keeps its value; whether
 * it may be emptied is up to the field's own schema. Changes without any field are invalid.
 */
export const changesOf = <Fields extends z.core.$ZodLooseShape>(fields: Fields) =>
  z.strictObject(z.exactPartial(z.object(fields)).shape).check(
    z.refine(changes => Object.keys(changes).length > 0, {
      error: messages.nothingToSave,
      // An unknown field has its own message.
      when: ({ issues }) => issues.length === 0,
    }),
  )

/** Comma-separated values in a query, `a,b,c`, at most 500. */
export const commaList = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(12_000)),
    z.transform(joined => joined.split(',').filter(Boolean)),
  ),
  z.array(z.string().check(z.maxLength(64))).check(z.maxLength(500)),
)

/** Returns whether the runtime knows the time zone. */
function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
export const TimeZone = z.string().check(
  z.maxLength(60),
  // `Intl` accepts offsets too, but an offset does not define when clocks change.
  z.refine(name => /^[A-Za-z]/.test(name) && isZone(name), 'must be an IANA time zone, such as Europe/Berlin'),
)

export const integer = (min: number, max: number) => z.number().check(z.int(), z.gte(min), z.lte(max))
export const number = (min: number, max: number) => z.number().check(z.gte(min), z.lte(max))

/** Presentation of a field in forms and palette pages. */
export interface FieldMeta {
  readonly label: string
  /** The label of each value of an enumeration, in the order of the values. */
  readonly names?: readonly string[]
  readonly unit?: string
  /** The field is an amount, shown and entered in the chosen unit of this quantity. */
  readonly quantity?: Quantity
  readonly hint?: string
  /** The effect of omitting the field, unless it keeps the current value. */
  readonly omittedHint?: string
  /** The length of a list of numbers. */
  readonly count?: number
  /** The entity whose rows an uploaded file contains. */
  readonly template?: keyof typeof uploadColumns
  /** Whether an uploaded CSV file may be of any length, because it goes in parts. */
  readonly inParts?: boolean
  /** `multiline`: text of several lines; `secret`: masked; `code`: a one-time code. */
  readonly as?: 'multiline' | 'secret' | 'code'
}
const fieldMetas = new WeakMap<z.core.$ZodType, FieldMeta>()
/**
 * Returns a copy of the schema with its presentation. A copy, because endpoints share schemas under different labels.
 */
export function withMeta<S extends z.core.$ZodType>(schema: S, meta: FieldMeta): S {
  const copy = z.core.clone(schema)
  fieldMetas.set(copy, meta)
  return copy
}
/** Returns a field's presentation, from the schema or the one that it wraps (optional, nullable, default). */
export function metaOf(schema: z.core.$ZodType): FieldMeta | undefined {
  const own = fieldMetas.get(schema)
  if (own) return own
  const inner: unknown = 'innerType' in schema._zod.def ? schema._zod.def.innerType : undefined
  return inner instanceof z.core.$ZodType ? metaOf(inner) : undefined
}

/** A water supply; null for devices without a label, which have the same time zone and a similar feed TDS. */
export const supplyPlace = {
  vendor: VendorName,
  water_supply: z.nullable(z.string()),
}
