/** Calls that change some fields of a row: what may be left out, and what may be emptied. */
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/api/contract/audit.ts'
import { actionOf } from '../../../src/api/contract/audit.ts'
import { endpoints } from '../../../src/api/contract/all/endpoints.ts'
import { attributeName } from '../../../src/domain/lib/issues.ts'
import { startServer } from '../support/harness.ts'
import { checksum } from '../support/database/rows.ts'
import { fieldsOf, inputSchema } from '../../../cli/inputSchema.ts'
import { sampleRequest } from '../support/contract/sample.ts'
import { subjectOf } from '../support/contract/kinds.ts'

const { app, call, db, signIn } = await startServer()
const { access_token: admin } = await signIn('admin')
const vendor = (await signIn('vendor')).user_id

/** The fields that may be emptied: with text, `''`, and otherwise `null`. */
const mayBeEmpty = ['description', 'purchase_url', 'image_url', 'group']

const changing = endpoints
  .filter(({ body, method, upload }) => {
    const { required = [], properties = {} } = inputSchema(body)
    return method !== 'GET' && !upload && required.length === 0 && Object.keys(properties).length > 0
  })
  .map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

test('the calls that change some fields are these', () => {
  expect(changing.map(([name]) => name).toSorted()).toEqual([
    'PATCH /api/v3/admins/me/profile',
    'PATCH /api/v3/vendors/me/profile',
    'PATCH /api/v3/vendors/{id}',
    'PUT /api/v3/cartridge-types/{id}',
    'PUT /api/v3/devices/{bssid}',
    'PUT /api/v3/filtration-systems/{id}',
  ])
})

describe.each(changing)('%s', (_, endpoint) => {
  const send = async (payload: object) => {
    const [role] = endpoint.roles === 'public' ? [] : endpoint.roles
    const token = role && (await signIn(role)).access_token
    const id = await subjectOf(db, endpoint, vendor)
    const before = await checksum(db)
    const answer = await app.inject({ ...sampleRequest(endpoint, { token, id }), payload })
    return { status: answer.statusCode, answer: answer.json<unknown>(), changed: (await checksum(db)) !== before }
  }

  test('refuses to change nothing, and the history does not claim a change', async () => {
    expect(await send({})).toEqual({ status: 400, answer: { message: 'Nothing to save' }, changed: false })
    const history = await call('GET', '/api/v3/audit?limit=1', { token: admin })
    const [entry] = history.json<{ data: { data: AuditEntry[] } }>().data.data
    expect(entry).toMatchObject({ action: actionOf(endpoint), outcome: 'refused', message: 'Nothing to save' })
  })

  // The current password is no field of the row; any text may be one.
  const required = fieldsOf(inputSchema(endpoint.body)).filter(
    ([name]) => ![...mayBeEmpty, 'current_password'].includes(name),
  )
  test.each(required)('refuses to empty %s', async (name, { type }) => {
    const refusal = { status: 400, answer: { message: `${attributeName([name])} is required` }, changed: false }
    expect(await send({ [name]: null })).toEqual(refusal)
    if (type === 'string') expect(await send({ [name]: ' ' })).toEqual(refusal)
  })
})
