import { expect, test } from 'vitest'
import { isAllowed, packagesOf } from '../../../scripts/licences.ts'

const check = (licence: string, isForDevelopment = false) =>
  isAllowed({ name: 'a', version: '1.0.0', licence, isForDevelopment })

test('only licences on the list are allowed, in SPDX expressions too', () => {
  expect(check('MIT')).toBe(true)
  expect(check('(MIT OR GPL-3.0-only)')).toBe(true)
  expect(check('Apache-2.0 AND MIT')).toBe(true)
  expect(check('Apache-2.0 AND GPL-3.0-only')).toBe(false)
  expect(check('AGPL-3.0-only')).toBe(false)
  expect(check('')).toBe(false)
  expect(check('MPL-2.0')).toBe(false)
  expect(check('MPL-2.0', true)).toBe(true)
})

test('packages within packages are found', () => {
  const packages = {
    '': { name: 'permeate', version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', license: 'MIT' },
    'node_modules/b/node_modules/@x/a': { version: '2.0.0', dev: true },
  }
  expect(packagesOf(JSON.stringify({ packages }))).toEqual([
    { name: '@x/a', version: '2.0.0', licence: '', isForDevelopment: true },
    { name: 'b', version: '1.0.0', licence: 'MIT', isForDevelopment: false },
  ])
})
