import { expect, test } from 'vitest'
import { databaseFailure, diskFull, unavailable } from '../../../../server/db/state.ts'

const failure = (message: string, fields: object) =>
  new Error('Failed query', { cause: Object.assign(new Error(message), fields) })

test.each([
  // Five capital letters, as a state has, which has digits, too.
  [failure('write EPIPE', { code: 'EPIPE', syscall: 'write' })],
  [failure('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' })],
  [failure('terminating connection', { code: '57P01' })],
  [failure('Connection terminated unexpectedly', {})],
])('%o of a connection is answered as unavailable', error => {
  expect(databaseFailure(error)).toBe(unavailable)
})

test('a full disk is answered as such, and other failures are not the database’s state', () => {
  expect(databaseFailure(failure('no space', { code: '53100' }))).toBe(diskFull)
  expect(databaseFailure(failure('duplicate key', { code: '23505' }))).toBeUndefined()
  expect(databaseFailure(failure('no file', { code: 'ENOENT', syscall: 'open' }))).toBeUndefined()
})
