/** Scripts: recording steps, problems of steps, saving, and importing files. */
import { render, screen, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import { findCommand, commandOf, commands } from '../../../../src/commands/core/registry.ts'
import { notifyRunStarted } from '../../../../src/commands/core/runObserver.ts'
import { saveScript, deleteScript, importScripts } from '../../../../src/commands/scripts/library.ts'
import { startRecording } from '../../../../src/commands/scripts/recorder.ts'
import { commandFrom, targetEntity } from '../../../../src/commands/scripts/scriptCommand.ts'
import { formatScripts, parseScripts } from '../../../../src/commands/scripts/scriptFile.ts'
import { problemsOf, stepText } from '../../../../src/commands/scripts/steps.ts'
import { RecordingMark } from '../../../../src/commands/surfaces/scripts/RecordingMark.tsx'
import type { Context } from '../../../../src/commands/core/context.ts'
import { messages } from '../../../../src/domain/messages.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'
import { focus } from '../../../../src/store/focus.ts'
import { lists, resetLists, setSearch, setSearchBy, type Entity } from '../../../../src/store/lists.ts'
import { preferences } from '../../../../src/store/preferences.ts'
import { recording, type Step } from '../../../../src/store/scripts/recording.ts'
import { scripts, loadScripts, type SavedScript } from '../../../../src/store/scripts/scripts.ts'
import { Toaster } from '../../../../src/ui/Toaster.tsx'
import { failPersistence, persisted, mockPersistence } from '../../support/persisted.ts'

const step = (command: string, input: Step['input'] = {}, ask: readonly string[] = []): Step => ({
  command,
  input,
  ask,
})
const script = (name: string, ...steps: Step[]): SavedScript => ({ id: name, name, go_on: false, steps })
const rinse = script(
  'Rinse',
  step('device.autoFlush', { frequency: 5, duration: 18 }, ['duration']),
  step('device.flush'),
)
const context: Context = { role: 'admin', path: '/devices', list: undefined, targets: () => [], last: undefined }
const ids = () => scripts.list.map(({ name }) => name)

beforeEach(async () => {
  mockPersistence()
  await loadScripts('someone')
})
afterEach(async () => {
  recording.steps = undefined
  preferences.keys = {}
  await loadScripts(undefined)
  vi.restoreAllMocks()
})

/** Notifies the start and the end of a run, as the console does. */
const notifyRun = (id: CommandId, input: unknown = {}, done = true) => notifyRunStarted(commandOf(id), input)(done)

test('commands run during a recording become steps in the order in which they started', () => {
  notifyRun('device.flush')
  expect(recording.steps).toBeUndefined()
  startRecording()
  const slow = notifyRunStarted(commandOf('device.autoFlush'), { frequency: 5, duration: undefined })
  notifyRun('device.lock')
  slow(true)
  expect(recording.steps).toEqual([step('device.autoFlush', { frequency: 5 }), step('device.lock')])
})

test('failed commands, navigation, secrets and files are not recorded', () => {
  startRecording()
  notifyRun('device.flush', {}, false)
  for (const id of ['list.down', 'go.scripts', 'run.repeat', 'view.palette', 'session.logout'] as const) notifyRun(id)
  notifyRun('vendors.changePassword', { password: 'a-secret-of-8', repeat: 'a-secret-of-8' })
  notifyRun('device.upload', { file: new File([], 'devices.csv') })
  expect(recording.steps).toEqual([])
})

test('a message names each command that cannot be a step', async () => {
  startRecording()
  render(
    <>
      <RecordingMark />
      <Toaster />
    </>,
  )
  for (const count of [1, 2]) {
    notifyRun('vendors.changePassword', { password: 'a-secret-of-8' })
    await waitFor(() => expect(screen.getAllByText(/^“Change password.*” is not recorded: /)).toHaveLength(count))
  }
})

test('a step keeps the policy of its job in words, unless that could not hold again', () => {
  startRecording()
  const notify = (policy: string) => notifyRunStarted(commandOf('device.lock'), {}, policy)(true)
  notify('waves 1% 10% wait 7d')
  notify('')
  // A step has no search, so there are no later matches to include.
  notify('until 30d')
  expect(recording.steps).toEqual([{ ...step('device.lock'), policy: 'waves 1% 10% wait 7d' }, step('device.lock')])
  expect(stepText(recording.steps![0]!, defaultUnits)).toBe('Policy: waves 1% 10% wait 7d')
  expect(stepText({ ...step('device.idleProtection', { duration: 30 }), policy: 'rate 5' }, defaultUnits)).toBe(
    'Duration: 30 min, Policy: rate 5',
  )
})

test.each([
  ['device.lock', 'waves often', '“Lock”: “waves often” is not understood'],
  ['device.lock', 'until 30d', '“Lock”: a step cannot include devices that come to match later'],
  ['device.lock', 'start 2020-01-01 03:00', '“Lock”: The start has passed'],
  ['device.description', 'rate 5', '“Edit description”: it takes no policy'],
  ['device.delete', 'retries 2', `“Delete”: ${messages.nothingIsSent}`],
])('the step %s with the policy %s cannot run: %s', (command, policy, problem) => {
  const wrong = { ...step(command), policy }
  expect(problemsOf(wrong)).toEqual([problem])
  expect(parseScripts(formatScripts([script('S', step('device.flush'), wrong)]), [])).toEqual({
    problems: [`Script 1 “S”: step 2: ${problem}`],
  })
})

test('selecting all matches is recorded as a search', () => {
  window.history.replaceState(null, '', '/devices')
  startRecording()
  setSearch(lists.devices, 'leak')
  setSearchBy(lists.devices, { column: 'status', operator: 'eq' })
  notifyRun('list.selectAll')
  resetLists()
  notifyRun('list.selectAll')
  expect(recording.steps).toEqual([
    { ...step('select.search', { column: 'status', operator: 'eq', search: 'leak' }), list: 'devices' },
    { ...step('list.selectAll'), list: 'devices' },
  ])
  expect(recording.steps?.flatMap(problemsOf)).toEqual([])
})

test('a searched amount is recorded with its unit', () => {
  window.history.replaceState(null, '', '/devices')
  preferences.units = { ...defaultUnits, temperature: 'F' }
  startRecording()
  setSearch(lists.devices, '60')
  setSearchBy(lists.devices, { column: 'temperature', operator: 'gt' })
  notifyRun('list.selectAll')
  notifyRun('select.search', { column: 'temperature', operator: 'lt', search: '50' })
  preferences.units = { ...defaultUnits }
  resetLists()
  expect(recording.steps?.map(({ input }) => input.search)).toEqual(['60 °F', '50 °F'])
})

test('law: no secret of any command is recorded', () => {
  fc.assert(
    fc.property(fc.constantFrom(...commands), fc.string({ minLength: 8 }), (command, secret) => {
      startRecording()
      const secrets = command.fields.filter(({ name }) => /password|repeat/.test(name))
      if (secrets.length === 0) return
      notifyRunStarted(command, Object.fromEntries(secrets.map(({ name }) => [name, secret])))(true)
      expect(recording.steps).toEqual([])
    }),
  )
})

test('a step is described in plain words', () => {
  expect(stepText(rinse.steps[0]!, defaultUnits)).toBe('Flush every: 5th, Duration: asked each time')
  expect(stepText(step('device.idleProtection', { duration: 60 }), defaultUnits)).toBe('Duration: 60 min')
  const named = { ...step('device.model', { model: 'x1' }), names: { model: 'RO-400' } }
  expect(stepText(named, defaultUnits)).toContain('RO-400')
})

test('the problems of a step are reported, except for prompted arguments', () => {
  expect(rinse.steps.flatMap(problemsOf)).toEqual([])
  expect(problemsOf(step('no.such'))).toEqual(['There is no command “no.such”'])
  expect(problemsOf(step('vendors.changePassword'))).toEqual([
    '“Change password” cannot be in a script: it takes a secret',
  ])
  expect(problemsOf(step('device.flush', { force: true }))).toEqual(['“Flush” has no argument “force”'])
  expect(problemsOf(step('device.idleProtection', { duration: 7 }))[0]).toContain('“Idle protection”: ')
  expect(problemsOf(step('device.idleProtection', {}, ['duration']))).toEqual([])
  expect(problemsOf(step('device.idleProtection'))[0]).toContain('required')
})

test('a script is a command with the roles of its steps and its prompted arguments', () => {
  const command = commandFrom(rinse)
  expect(command).toMatchObject({ id: 'script.Rinse', title: 'Rinse', entity: 'devices', roles: ['admin', 'vendor'] })
  expect(command.fields.map(({ name, label, optional }) => ({ name, label, optional }))).toEqual([
    { name: '1.duration', label: 'Auto-flush: Duration (s)', optional: true },
  ])
  expect(command.check({ '1.duration': 7 })).toBeDefined()
  expect(command.check({ '1.duration': 18 })).toBeUndefined()
  expect(command.availability(context)).toEqual({ is: 'blocked', reason: 'At least one device must be selected' })
  expect(command.availability({ ...context, role: 'superadmin' })).toEqual({ is: 'hidden' })
})

test('a script that begins with a selecting step needs no selection', () => {
  const own = script('Own', step('select.status', { status: 4 }), step('device.flush'))
  expect(targetEntity(own)).toBeUndefined()
  expect(commandFrom(own).availability(context)).toEqual({ is: 'ready' })
})

test.each<[string, Step[]]>([
  ['as recorded', [{ ...step('select.search', { column: 'status', operator: 'eq', search: 'x' }), list: 'devices' }]],
  ['by the rows of its next step', [step('list.selectAll'), step('device.flush')]],
])('a script that selects in the list on screen is blocked on another list: %s', (_, steps) => {
  const command = commandFrom(script('Own', ...steps))
  const on = (entity: Entity): Context => ({
    ...context,
    list: { entity, state: lists[entity], focus: focus[entity], rows: [{ id: 'a', name: 'a', row: {} }], count: 1 },
  })
  expect(command.availability(on('devices'))).toEqual({ is: 'ready' })
  expect(command.availability(on('vendors'))).toEqual({
    is: 'blocked',
    reason: expect.stringMatching(/^“Select .*” acts on the list of devices: open it first$/),
  })
})

test('a script with an unknown command is blocked with a reason', () =>
  expect(commandFrom(script('Old', step('no.such'))).availability(context)).toEqual({
    is: 'blocked',
    reason: 'Step 1: There is no command “no.such”',
  }))

test('a saved script is a command, keeps its keys when renamed, and loses them when deleted', async () => {
  await saveScript(undefined, rinse)
  const [saved] = scripts.list
  const id = `script.${saved!.id}`
  await expect.poll(() => findCommand(id)?.title).toBe('Rinse')
  preferences.keys = { [id]: ['shift+j'] }
  await saveScript(saved!.id, { ...saved!, name: 'Rinse well' })
  await expect.poll(() => findCommand(id)?.title).toBe('Rinse well')
  await expect(saveScript(undefined, { ...rinse, name: 'rinse WELL' })).rejects.toThrow(
    'A script “Rinse well” already exists',
  )
  await deleteScript(scripts.list[0]!)
  await expect.poll(() => findCommand(id)).toBeUndefined()
  expect(preferences.keys).toEqual({})
})

test('without room in the storage, saving and deleting say that the change lasts until the page is closed', async () => {
  failPersistence()
  const notStored = ', but only until you close this page: the browser could not store it'
  expect(await saveScript(undefined, rinse)).toBe(`Saved “Rinse”. It is now a command${notStored}`)
  expect(await deleteScript(scripts.list[0]!)).toBe(`Deleted “Rinse”${notStored}`)
})

test('another account does not see the scripts', async () => {
  await saveScript(undefined, rinse)
  expect(ids()).toEqual(['Rinse'])
  await loadScripts('another')
  expect(ids()).toEqual([])
})

test('a file imports all of its scripts, or none if it has problems, which are all listed', async () => {
  const file = formatScripts([rinse, script('Lock', step('device.lock'))])
  expect(await importScripts(file)).toBe('Imported 2 scripts')
  expect(ids()).toEqual(['Rinse', 'Lock'])
  await expect(importScripts(file)).rejects.toThrow('a script with this name already exists')
  expect(ids()).toEqual(['Rinse', 'Lock'])

  const odd = {
    permeate: 'scripts',
    version: 1,
    scripts: [
      { name: 'A', steps: [{ command: 'no.such' }, { command: 'device.idleProtection', input: { duration: 7 } }] },
      { name: 'a', steps: [{ command: 'device.flush' }] },
      { name: 'B', steps: [] },
      { name: 'C', steps: [{ command: 'device.flush' }], extra: 1 },
      7,
    ],
  }
  const { problems } = parseScripts(JSON.stringify(odd), []) as { problems: string[] }
  expect(problems).toEqual([
    'Script 1 “A”: step 1: There is no command “no.such”',
    expect.stringMatching(/^Script 1 “A”: step 2: “Idle protection”: /),
    'Script 2 “a”: script 1 has the same name',
    expect.stringMatching(/^Script 3 “B”: Steps must have at least 1/),
    'Script 4 “C”: Unknown field: extra',
    expect.stringMatching(/^Script 5: /),
  ])
  for (const wrong of ['', '{}', '[]', '{"permeate":"scripts","version":2,"scripts":[]}'])
    expect(parseScripts(wrong, [])).toMatchObject({ problems: [expect.stringContaining('This is not a script file')] })
})

test('an imported script keeps its id, and so its keys, unless another script has it', async () => {
  const rest = { name: 'Lock', go_on: false, steps: [step('device.lock')] }
  const file = formatScripts([{ ...rest, id: 'a1' }])
  await importScripts(file)
  expect(scripts.list.map(({ id }) => id)).toEqual(['a1'])
  await saveScript('a1', { ...rest, name: 'Lock all' })
  await importScripts(file)
  await importScripts(JSON.stringify({ permeate: 'scripts', version: 1, scripts: [{ ...rest, name: 'Old file' }] }))
  expect(ids()).toEqual(['Lock all', 'Lock', 'Old file'])
  expect(new Set(scripts.list.map(({ id }) => id)).size).toBe(3)
})

test('the names in a file are not believed', () => {
  const named = { ...step('device.model', { model: 'x1' }), names: { model: 'RO-400' } }
  expect(parseScripts(formatScripts([script('S', named)]), [])).toEqual({
    scripts: [{ id: 'S', name: 'S', go_on: false, steps: [step('device.model', { model: 'x1' })] }],
  })
})

test('imported scripts are stored with the ids with which they are shown', async () => {
  const importing = importScripts(formatScripts([rinse, script('Lock', step('device.lock'))]))
  const shown = scripts.list
  await importing
  expect(persisted.get('scripts:someone')).toEqual(shown)
  expect(scripts.list).toEqual(shown)
})

test('law: exported scripts are parsed unchanged', () => {
  const steps = fc.constantFrom<Step>(
    step('device.flush'),
    step('device.idleProtection', { duration: 30 }),
    step('device.idleProtection', {}, ['duration']),
    step('select.status', { status: 4 }),
    { ...step('device.lock'), policy: 'start 03:00 waves 1%/1h 10% wait 7d' },
    step('go.devices'),
  )
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(names, fc.array(steps, { minLength: 1, maxLength: 6 }), fc.boolean(), (all, of, goOn) => {
      const list = all.map(name => ({ id: name, name, go_on: goOn, steps: of }))
      const read = parseScripts(formatScripts(list), [])
      expect(read).toEqual({ scripts: list })
    }),
  )
})
