import { beforeEach, expect, test } from 'vitest'
import type { Context } from '../../../../src/commands/core/context.ts'
import { searchCommands, type CommandMatch } from '../../../../src/commands/palette/search.ts'
import { searchableCommands } from '../../../../src/commands/palette/searchable.ts'
import { recordUse } from '../../../../src/commands/palette/recents.ts'
import type { ParseOptions } from '../../../../src/commands/arguments/inlineArguments.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'
import type { Entity } from '../../../../src/store/lists.ts'
import type { DeviceItem } from '../../../../src/store/selection.ts'
import { session } from '../../../../src/store/session.ts'

const device = (status: number): DeviceItem => ({
  id: `A4:1C:09:7E:33:${status}`,
  name: `A4:1C:09:7E:33:${status}`,
  vendor: 'v',
  company: 'Acme',
  status,
  platform: 'esp32',
})
const parseOptions: ParseOptions = { units: defaultUnits, lookup: () => [] }
const selected = (...items: readonly DeviceItem[]): Context => ({
  role: 'admin',
  path: '/devices/A4:1C:09:7E:33:00',
  list: undefined,
  targets: ((entity: Entity) => (entity === 'devices' ? items : [])) as Context['targets'],
  last: undefined,
})
const now = 1_000_000_000
const sections = (query: string, context = selected(device(0)), how = parseOptions) =>
  searchCommands(query, searchableCommands(context, now), how)
const entries = (...of: Parameters<typeof sections>): readonly CommandMatch[] =>
  sections(...of).flatMap(section => section.entries)
const ids = (...of: Parameters<typeof sections>) => entries(...of).map(({ command }) => command.id)

let person = 0
// A new person for each test, so that recent commands are not shared.
beforeEach(() => void (session.userId = `person ${person++}`))

test('finds commands by beginnings of words, by initials, and with one typo', () => {
  expect(ids('flush')[0]).toBe('device.flush')
  expect(ids('flsuh')[0]).toBe('device.flush')
  expect(ids('fr')).toContain('device.resetFactory')
  expect(ids('facres')[0]).toBe('device.resetFactory')
  expect(ids('rebot')[0]).toBe('device.reboot')
})

test('a command that the selection makes likely ranks first among equals', () => {
  expect(ids('', selected(device(4)))[0]).toBe('device.valve')
  expect(ids('', selected(device(10)))[0]).toBe('device.reboot')
  expect(ids('', selected(device(10), device(10), device(4)))[0]).toBe('device.reboot')
})

test('an empty query shows recent commands, newest first, after those on the selection', () => {
  recordUse('device.lock', now - 3000)
  recordUse('go.charts', now - 2000)
  recordUse('go.charts', now - 1500)
  recordUse('view.theme', now - 1200)
  recordUse('go.models', now - 1000)
  const titles = (context?: Context) => sections('', context).map(({ title }) => title)
  expect(titles().slice(0, 2)).toEqual(['On the selection', 'Recent'])
  expect(titles(selected())[0]).toBe('Recent')
  const recent = sections('').find(({ title }) => title === 'Recent')
  expect(recent?.entries.map(({ command }) => command.id)).toEqual(['go.models', 'go.charts'])
  expect(ids('').filter(id => id === 'go.charts')).toHaveLength(1)
  session.userId = 'somebody else'
  expect(titles()).not.toContain('Recent')
})

test('Enter in a fresh palette never switches the theme', () => {
  recordUse('view.theme', now)
  for (const context of [selected(), selected(device(0))]) expect(ids('', context)[0]).not.toBe('view.theme')
})

test('frequent commands rank first among equal matches, but below better ones', () => {
  const [first, second] = entries('re')
  for (let times = 0; times < 20; times++) recordUse(second!.command.id, now)
  expect(ids('re')[0]).toBe(second!.command.id)
  expect(ids(first!.label)[0]).toBe(first!.command.id)
})

test('blocked commands are last with their reason, and hidden for an empty query', () => {
  const all = sections('flush', selected())
  expect(all.at(-1)?.title).toBe('Unavailable')
  expect(all.at(-1)?.entries.map(({ command }) => command.id)).toContain('device.flush')
  expect(all.at(-1)?.entries[0]?.blocked).toBe('At least one device must be selected')
  expect(ids('', selected())).not.toContain('device.flush')
})

test('arguments are parsed behind the name', () => {
  const [first] = entries('flush settings after 5th 18')
  expect(first?.command.id).toBe('device.autoFlush')
  expect(first?.inlineArguments?.parsed.map(({ field, value }) => [field.name, value])).toEqual([
    ['mode', 1],
    ['frequency', 5],
    ['duration', 18],
  ])
  expect(first?.nameQuery).toBe('flush settings')
  // The name alone has no arguments.
  expect(entries('flush settings')[0]?.inlineArguments).toBeUndefined()
})

test('the policy of a job is parsed behind the arguments, also of a command without any', () => {
  const [lock] = entries('lock waves 1%/1h 10% wait 7d')
  expect(lock).toMatchObject({
    command: { id: 'device.lock' },
    inlineArguments: { policy: { policy: { waves: [{ size: '1%', wait: 60 }, { size: '10%' }], offline: 168 } } },
  })
  const lookup = () => [{ value: '2.3.0', name: '2.3.0' }]
  const [firmware] = entries('update firmware 2.3.0 window 02-05', undefined, { ...parseOptions, lookup })
  expect(firmware).toMatchObject({
    command: { id: 'device.updateFirmware' },
    inlineArguments: { parsed: [{ value: '2.3.0' }], policy: { policy: { window: { from: '02:00', to: '05:00' } } } },
  })
  const [wrong] = entries('lock waves often')
  expect(wrong).toMatchObject({
    command: { id: 'device.lock' },
    inlineArguments: { policy: { problem: '“waves often” is not understood' } },
  })
  // While a part is typed, examples show how it continues.
  const problemOf = (query: string) =>
    entries(query).find(({ command }) => command.id === 'device.lock')?.inlineArguments
  expect(problemOf('lock r')).toMatchObject({
    policy: { problem: 'For example repeat weekly mon, rate 100, retries 2' },
  })
  expect(problemOf('lock rate')).toMatchObject({ policy: { problem: 'For example rate 100' } })
  expect(problemOf('lock rate 100 wa')).toMatchObject({ policy: { problem: 'For example waves 1% 10%, wait 7d' } })
  expect(problemOf('lock rate 100')).toMatchObject({ policy: { policy: { rate: 100 } } })
  expect(problemOf('lock often')).toBeUndefined()
  // Words that name a part belong to commands that are no jobs.
  expect(entries('search in page wait 7d').some(({ inlineArguments }) => inlineArguments?.policy)).toBe(false)
})

test('complete matches hide partial ones, and unparsed words are returned', () => {
  expect(
    entries('valve closed').every(({ inlineArguments }) => !inlineArguments || inlineArguments.unparsed.length === 0),
  ).toBe(true)
  expect(entries('valve closed')[0]?.inlineArguments?.parsed.map(({ text }) => text)).toEqual(['Closed'])
  expect(
    entries('valve banana').find(({ command }) => command.id === 'device.valve')?.inlineArguments?.unparsed,
  ).toEqual(['banana'])
  const [first] = entries('flush settings after 5th banana')
  expect(first).toMatchObject({ command: { id: 'device.autoFlush' }, inlineArguments: { unparsed: ['banana'] } })
  expect(entries('nothing is called that')).toEqual([])
})

test('commands that the role may not use are not found', () => {
  expect(ids('create vendor', { ...selected(), role: 'vendor' })).not.toContain('vendors.create')
})

test.each([
  ['/charts', /^charts\./],
  ['/calendar', /^calendar\./],
  // No job and no setting is there to act on.
  ['/jobs', /^device\.find$/],
  ['/notifications', /^notifications?\./],
  ['/settings', /^view\.keys$/],
])('a fresh palette on %s starts with its own commands, and does not lead to where one is', (path, own) => {
  const context = { ...selected(), path }
  const all = ids('', context)
  expect(all[0]).toMatch(own)
  expect(all).not.toContain(`go.${path.slice(1)}`)
  expect(ids(path.slice(1), context)).toContain(`go.${path.slice(1)}`)
})

test('the noun of its list may stand beside the name of a command', () => {
  expect(ids('lock device')[0]).toBe('device.lock')
  expect(ids('share device')[0]).toBe('device.share')
  expect(ids('flush devices')[0]).toBe('device.flush')
  expect(ids('device reboot')[0]).toBe('device.reboot')
  expect(ids('add devices')[0]).toBe('device.upload')
  // The rest are arguments, as without the noun.
  const [first] = entries('close valve device yes')
  expect(first?.command.id).toBe('device.valve')
})

test('the name of a blocked command is not taken for free text of another', () => {
  const [first] = entries('edit vendor', selected())
  expect(first?.command.id).toBe('vendors.edit')
  expect(first?.blocked).toBeDefined()
})

test('the name of a command is no guess at arguments of another', () => {
  expect(ids('share device', selected())[0]).toBe('device.share')
  expect(ids('download template')[0]).toMatch(/\.template$/)
  // A guess stays when no command has the name.
  expect(ids('copy link to command device')[0]).toBe('link.copy')
})

test('words may be spread over name and keywords', () => {
  expect(ids('new api key')[0]).toMatch(/^apiKeys\.create/)
  expect(ids('open charts')[0]).toBe('go.charts')
  expect(ids('update software')[0]).toBe('device.updateFirmware')
  expect(ids('replace cartridge')[0]).toBe('device.planReplacement')
  expect(ids('change filter')[0]).toBe('device.planReplacement')
  expect(ids('water hardness')[0]).toBe('device.waterAnalysis')
})

test('a start may be typed as people say it', () => {
  for (const query of ['lock at 22:00', 'lock in 2 hours', 'lock tomorrow', 'lock friday', 'lock on monday at 8:00']) {
    const [first] = entries(query)
    expect(first?.command.id, query).toBe('device.lock')
    expect(first?.inlineArguments?.policy, query).toHaveProperty('policy.start')
  }
  // Where a text is an argument, a day alone belongs to it.
  expect(entries('edit description tomorrow')[0]?.inlineArguments).not.toHaveProperty('policy')
})
