type Defined<Values extends object> = { [Name in keyof Values]: Exclude<Values[Name], undefined> }
/** The result type: a record with arbitrary keys stays complete; an object with named properties becomes partial. */
type Rest<Values extends object> = string extends keyof Values ? Defined<Values> : Partial<Defined<Values>>

/** Returns a copy without undefined values, so that spreading it does not overwrite values with undefined. */
export const omitUndefined = <Values extends object>(values: Values): Rest<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Rest<Values>
