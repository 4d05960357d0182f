/** The rules of RFC 5545 by which a job may be repeated. The server reads them with a library, which does not refuse them all. */

/** Returns a test of whether the values of a list are whole numbers from `min` to `max`; with `signed` also from `-max`. */
const numbers =
  (min: number, max: number, { isSigned = false, isSingle = false } = {}) =>
  (value: string): boolean => {
    const values = value.split(',')
    const pattern = isSigned ? /^[+-]?\d{1,4}$/ : /^\d{1,4}$/
    const isIn = (text: string) => pattern.test(text) && Math.abs(Number(text)) >= min && Math.abs(Number(text)) <= max
    return values.every(isIn) && !(isSingle && values.length > 1)
  }
const single = { isSingle: true }
const signed = { isSigned: true }

/** `20261231T235959Z`, which exists: `Date` turns 30 February into a day in March. */
function isUtcTime(value: string): boolean {
  const iso = value.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6.000Z')
  return !Number.isNaN(Date.parse(iso)) && new Date(iso).toISOString() === iso
}

/** The parts of a rule, with the test of their values. */
const parts: Readonly<Record<string, (value: string) => boolean>> = {
  FREQ: value => /^(?:HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(value),
  INTERVAL: numbers(1, 1000, single),
  COUNT: numbers(1, 1000, single),
  UNTIL: isUtcTime,
  BYMONTH: numbers(1, 12),
  BYMONTHDAY: numbers(1, 31, signed),
  BYYEARDAY: numbers(1, 366, signed),
  BYWEEKNO: numbers(1, 53, signed),
  BYDAY: value => /^(?:(?:^|,)(?:[+-]?[1-9]\d?)?(?:MO|TU|WE|TH|FR|SA|SU))+$/.test(value),
  BYHOUR: numbers(0, 23),
  BYMINUTE: numbers(0, 59, single),
  BYSECOND: numbers(0, 59, single),
  BYSETPOS: numbers(1, 366, signed),
  WKST: value => /^(?:MO|TU|WE|TH|FR|SA|SU)$/.test(value),
}

const tooOften = 'must not repeat more often than hourly'

/** Returns what is wrong with a rule; undefined if nothing is, as far as its parts show. */
export function ruleProblem(rule: string): string | undefined {
  const given = rule.split(';').map(part => {
    const [name = '', ...value] = part.split('=')
    return [name, value.join('=')] as const
  })
  const values = new Map(given)
  if (!values.has('FREQ')) return 'must be a rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=SU;BYHOUR=3'
  const unknown = given.find(([name]) => !Object.hasOwn(parts, name))
  if (unknown) return `must not have the part ${unknown[0].slice(0, 20)}`
  if (values.size < given.length) return 'must not have a part twice'
  if (/^(?:SECONDLY|MINUTELY)$/.test(values.get('FREQ')!)) return tooOften
  // Several of them are several times in an hour.
  if (['BYMINUTE', 'BYSECOND'].some(name => values.get(name)?.includes(','))) return tooOften
  const wrong = given.find(([name, value]) => !parts[name]!(value))
  if (!wrong) return undefined
  return wrong[0] === 'UNTIL' ? 'must have UNTIL as UTC, such as 20261231T235959Z' : `must have a valid ${wrong[0]}`
}
