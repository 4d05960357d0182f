/**
 * Access, generated from the contract: every endpoint with a handler × every role and none × own and absent ids. New
 * endpoints are covered as soon as they have a handler. What is of others: scope.test.ts.
 */
import { describe, expect, test } from 'vitest'
import type { BulkResponse } from '../../../src/api/contract/endpoint.ts'
import { roles } from '../../../src/domain/roles.ts'
import { absent, contractCalls, dataOf, guarded, isBulk, takesMany, takesOne } from '../support/contract/calls.ts'
import { startServer } from '../support/harness.ts'
import { subjectOf } from '../support/contract/kinds.ts'
import { checksum, rowsOfOthers } from '../support/database/rows.ts'
import { firstDevice } from '../support/subjects.ts'

const server = await startServer()
const { db } = server
const { callers, vendor, send } = await contractCalls(server)

const unchanged = (before: unknown, after: unknown) => expect(after).toEqual(before)

describe('without a session, refuses', () => {
  test.each(guarded)('%s', async (_, endpoint) => {
    expect((await send(endpoint, undefined)).statusCode).toBe(401)
  })
})

describe.each(roles)('%s', role => {
  const refused = guarded.filter(([, endpoint]) => !endpoint.roles.includes(role))
  const allowed = guarded.filter(([, endpoint]) => endpoint.roles.includes(role))

  test('is refused every call of other roles, which changes nothing', async () => {
    const before = await checksum(db)
    const own = await firstDevice(db, vendor)
    const passed: string[] = []
    for (const [name, endpoint] of refused) {
      for (const query of isBulk(endpoint) ? [undefined, { preview: 'true' }] : [undefined]) {
        const answer = await send(endpoint, role, { id: own, body: { ids: [own] }, query })
        if (answer.statusCode !== 403) passed.push(`${name} ${query ? 'previewed' : ''}: ${answer.statusCode}`)
      }
    }
    expect(passed).toEqual([])
    expect(await checksum(db)).toBe(before)
  })

  test.each(allowed)('%s succeeds for own ids', async (_, endpoint) => {
    const own = await subjectOf(db, endpoint, vendor, callers[role].id)
    const others = await rowsOfOthers(db, vendor)
    const answer = await send(endpoint, role, { id: own, body: { ids: [own] } })
    expect([401, 403, 404]).not.toContain(answer.statusCode)
    expect(answer.statusCode).toBeLessThan(500)
    if (answer.statusCode < 300) dataOf(endpoint, answer)
    if (role === 'vendor') unchanged(others, await rowsOfOthers(db, vendor))
  })

  const one = allowed.filter(([, endpoint]) => takesOne(endpoint))
  test.each(one)('%s returns 404 for an absent id', async (_, endpoint) => {
    const before = await checksum(db)
    expect((await send(endpoint, role, { id: absent })).statusCode).toBe(404)
    expect(await checksum(db)).toBe(before)
  })

  const many = allowed.filter(([, endpoint]) => takesMany(endpoint))
  test.each(many)('%s reports each absent id as failed', async (_, endpoint) => {
    const before = await checksum(db)
    const answer = await send(endpoint, role, { body: { ids: [absent, 'nonsense'] } })
    expect(answer.statusCode).toBe(200)
    const { count, total, failed } = dataOf(endpoint, answer) as BulkResponse
    expect({ count, total }).toEqual({ count: 0, total: 2 })
    expect(failed.map(({ id }) => id).toSorted()).toEqual([absent, 'nonsense'])
    expect(await checksum(db)).toBe(before)
  })
})

test('every role has a caller', () => {
  expect(Object.keys(callers)).toEqual([...roles])
})
