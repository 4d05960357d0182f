/** The firmware versions offered for one device and for devices of several platforms. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Context, Targets } from '../../../../src/commands/core/context.ts'
import { versionChoices } from '../../../../src/commands/devices/firmware.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { unreadMatches } from '../../../../src/commands/core/execution/unreadMatches.ts'
import type { DeviceItem } from '../../../../src/store/selection.ts'

const device = (id: string, platform: string): DeviceItem => ({
  id,
  name: id,
  vendor: 'v',
  company: 'C',
  status: 0,
  platform,
})
const contextWith = (...devices: readonly DeviceItem[]): Context => ({
  role: 'admin',
  path: '/devices',
  list: undefined,
  targets: ((entity: string) => (entity === 'devices' ? devices : [])) as Targets,
  last: undefined,
})
const choose = (context: Context, query = '') => versionChoices(context, query, new AbortController().signal)

let asked: string[]
const answers: Record<string, unknown> = {
  '/api/v3/devices/A': { firmware: '2.1.0', firmware_versions: ['2.2.3', '2.1.0'] },
  '/api/v3/devices/firmware': [
    { platform: 'esp32', versions: ['2.2.3', '2.1.0'] },
    { platform: 'esp32-s3', versions: ['3.1.1', '2.2.3'] },
    { platform: 'esp8266', versions: ['1.3.2'] },
  ],
}
beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return new Response(JSON.stringify({ data: answers[path] }))
  })
})
afterEach(() => vi.unstubAllGlobals())

test('one device: its available versions, with the installed one marked', async () => {
  expect(await choose(contextWith(device('A', 'esp32')))).toEqual([
    { value: '2.2.3', name: '2.2.3' },
    { value: '2.1.0', name: '2.1.0', detail: 'installed' },
  ])
  expect(asked).toEqual(['/api/v3/devices/A'])
})

test('several devices of one platform: its versions, newest first', async () => {
  const many = ['A', 'B', 'C'].map(id => device(id, 'esp32'))
  expect(await choose(contextWith(...many))).toEqual([
    { value: '2.2.3', name: '2.2.3' },
    { value: '2.1.0', name: '2.1.0' },
  ])
})

test('several platforms: versions for the most devices first, each with its count', async () => {
  const many = [device('A', 'esp32'), device('B', 'esp32'), device('C', 'esp32-s3'), device('D', '')]
  expect(await choose(contextWith(...many))).toEqual([
    { value: '2.2.3', name: '2.2.3', detail: 'esp32, esp32-s3 · 3 of 4 devices' },
    { value: '2.1.0', name: '2.1.0', detail: 'esp32 · 2 of 4 devices' },
    { value: '3.1.1', name: '3.1.1', detail: 'esp32-s3 · 1 of 4 devices' },
  ])
})

test('typing filters the versions', async () => {
  const many = [device('A', 'esp32'), device('B', 'esp8266')]
  expect(await choose(contextWith(...many), ' 1.3 ')).toEqual([
    { value: '1.3.2', name: '1.3.2', detail: 'esp8266 · 1 of 2 devices' },
  ])
  expect(await choose(contextWith(), '')).toEqual([])
})

test('the confirmation names the count and the version, and says that devices do not accept commands during the update', () => {
  const command = commandOf('device.updateFirmware')
  const { question } = command.prepare(contextWith(device('A', 'esp32'), device('B', 'esp32')), { version: '2.2.3' })
  expect(question?.title).toBe('Update the firmware of 2 devices?')
  expect(question?.text).toContain('2.2.3')
  expect(question?.text).toContain('do not accept commands')
  expect(() => command.prepare(contextWith(device('A', 'esp32')), {})).toThrow('Version is required')
})

test('the matches of a search, whose platforms are not known: all versions, newest first', async () => {
  expect(await choose(contextWith(...(unreadMatches(2000) as readonly DeviceItem[])))).toEqual([
    { value: '3.1.1', name: '3.1.1', detail: 'esp32-s3' },
    { value: '2.2.3', name: '2.2.3', detail: 'esp32, esp32-s3' },
    { value: '2.1.0', name: '2.1.0', detail: 'esp32' },
    { value: '1.3.2', name: '1.3.2', detail: 'esp8266' },
  ])
  expect(asked).toEqual(['/api/v3/devices/firmware'])
})
