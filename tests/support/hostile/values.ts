/** Values that mostly fit a schema, with hostile ones among them, and bodies and headers that are hostile. */
import fc from 'fast-check'
import * as z from 'zod/mini'
import { type JsonSchema, fieldsOf } from '../../../cli/inputSchema.ts'

const Failure = z.strictObject({
  message: z.union([z.string().check(z.minLength(1)), z.array(z.string()).check(z.minLength(2))]),
})
/** Whether an answer has the common shape of failures. */
export const isFailure = (answer: unknown): boolean => z.safeParse(Failure, answer).success

export const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '\ufeff',
    '\u202egnp.exe',
    '💧'.repeat(300),
    'x'.repeat(100_000),
    "'; drop table devices; --",
    "' or '1'='1",
    '%',
    '_%\\',
    '\\',
    '<script>alert(1)</script>',
    '=cmd|"/c calc"!A1',
    '${7*7}',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '-1',
    '1e309',
    '9'.repeat(400),
    '0x10',
    '2026-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '9999-12-31T23:59:59Z',
    'Etc/GMT+20',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

const hostileNumber = fc.oneof(
  fc.constantFrom(-1, -0, 0.1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324, 2_147_483_648, 1e21),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom(
    null,
    true,
    false,
    [],
    {},
    [[]],
    { length: 1e9 },
    Array.from({ length: 1001 }, () => 'x'),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(hostileText, { maxLength: 5 }),
)

/** Generates values that mostly match the schema, with some hostile ones; strings are often one of `ids`. */
export function likely(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const fitting = (): fc.Arbitrary<unknown> => {
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return fc.constantFrom(...schema.enum)
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map(each => likely(each, ids)))
    switch (schema.type) {
      case 'object': {
        const fields = fieldsOf(schema).map(([name, field]) => [name, likely(field, ids)] as const)
        const requiredKeys = schema.required?.filter(name => fields.some(([field]) => field === name)) ?? []
        return fc.record(Object.fromEntries(fields), { requiredKeys })
      }
      case 'array':
        return fc.array(likely(schema.items ?? {}, ids), { minLength: schema.minItems ?? 0, maxLength: 5 })
      case 'string':
        if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map(date => date.toISOString())
        return fc.oneof(fc.constantFrom(...ids), fc.string({ minLength: schema.minLength ?? 0, maxLength: 100 }))
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      default:
        return fc.integer({ min: schema.minimum ?? 0, max: (schema.minimum ?? 0) + 100 })
    }
  }
  return fc.oneof({ weight: 5, arbitrary: fitting() }, { weight: 1, arbitrary: hostile })
}

export interface Body {
  payload: string | Buffer
  headers: Record<string, string>
}
const json = { 'content-type': 'application/json' }

/** Generates bodies that are mostly JSON of the given values, and sometimes unreadable. */
export const hostileBody = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Body> =>
  fc.oneof(
    { weight: 6, arbitrary: values.map(value => ({ payload: stringify(value), headers: json })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        { payload: '', headers: json },
        { payload: 'null', headers: json },
        { payload: '{"ids":', headers: json },
        { payload: '{"__proto__":{"admin":true}}', headers: json },
        { payload: '{"constructor":{"prototype":{"admin":true}}}', headers: json },
        { payload: '['.repeat(100_000), headers: json },
        { payload: `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, headers: json },
        { payload: '{"ids":["a"],"ids":["b"]}', headers: json },
        { payload: Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), headers: json },
        { payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), headers: json },
        { payload: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        { payload: '<a/>', headers: { 'content-type': 'text/xml' } },
        { payload: '{}', headers: { 'content-type': 'nonsense' } },
        { payload: '--x\r\n\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
        { payload: 'x', headers: { 'content-type': 'multipart/form-data' } },
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map(payload => ({ payload, headers: json })) },
  )

/** Returns JSON of any value; a bigint becomes a string, and undefined null. */
const stringify = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) ?? 'null'

export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'access-token': '' },
      { 'access-token': 'x'.repeat(5000) },
      { 'access-token': "' or 1=1 --" },
      { 'refresh-token': 'é' },
      { 'password-recovery-token': '\t' },
      { 'accept-encoding': 'nonsense;q=9, *' },
      { 'content-encoding': 'gzip' },
      { accept: 'image/png' },
      { range: 'bytes=0-' },
      { 'x-forwarded-for': '1.2.3.4, evil' },
      { 'if-none-match': '*' },
      { expect: 'nonsense' },
      { 'idempotency-key': 'the key of another call' },
      { 'idempotency-key': 'x'.repeat(300) },
      { 'progress-id': '../..' },
      { 'user-agent': '\u00ff'.repeat(2000) },
    ),
  },
)
