/** Checks of stored values. Own code, because the first rows would otherwise have to wait for a library of schemas. */
export type Check<Value> = (value: unknown) => value is Value
/** A check for each property. */
export type Checks<Shape extends object> = { readonly [Name in keyof Shape]: Check<Shape[Name]> }

export const isText: Check<string> = value => typeof value === 'string'
export const isNumber: Check<number> = value => typeof value === 'number'
export const isFlag: Check<boolean> = value => typeof value === 'boolean'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isOneOf =
  <const Value>(values: readonly Value[]): Check<Value> =>
  (value): value is Value =>
    (values as readonly unknown[]).includes(value)

export const orNull =
  <Value>(check: Check<Value>): Check<Value | null> =>
  (value): value is Value | null =>
    value === null || check(value)

export const orMissing =
  <Value>(check: Check<Value>): Check<Value | undefined> =>
  (value): value is Value | undefined =>
    value === undefined || check(value)

export const isListOf =
  <Value>(check: Check<Value>): Check<Value[]> =>
  (value): value is Value[] =>
    Array.isArray(value) && value.every(check)

export const isRecordOf =
  <Value>(check: Check<Value>): Check<Record<string, Value>> =>
  (value): value is Record<string, Value> =>
    isObject(value) && Object.values(value).every(check)

export const isShape =
  <Shape extends object>(checks: Checks<Shape>): Check<Shape> =>
  (value): value is Shape =>
    isObject(value) && Object.entries<Check<unknown>>(checks).every(([name, check]) => check(value[name]))

/** Returns the properties of a value that have a check and pass it. */
export const validOf = <Shape extends object>(value: unknown, checks: Partial<Checks<Shape>>): Partial<Shape> =>
  isObject(value)
    ? (Object.fromEntries(
        Object.entries<Check<unknown>>(checks as Checks<Shape>).flatMap(([name, check]) =>
          name in value && check(value[name]) ? [[name, value[name]]] : [],
        ),
      ) as Partial<Shape>)
    : {}
