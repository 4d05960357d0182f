type Defined<Values extends object> = { [Name in keyof Values]: Exclude<Values[Name], undefined> }
/** A record by any text has a value under each key that is left; an object with named properties may lack some. */
type Rest<Values extends object> = string extends keyof Values ? Defined<Values> : Partial<Defined<Values>>

/** Returns the values without those that are undefined, so that spreading them replaces nothing by undefined. */
export const omitUndefined = <Values extends object>(values: Values): Rest<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Rest<Values>
