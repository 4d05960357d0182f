/** Several forms with one button. */
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentContext } from '../../../../../src/commands/core/context.ts'
import { execute } from '../../../../../src/commands/core/execution/execute.ts'
import type { Host } from '../../../../../src/commands/core/execution/host.ts'
import type { ExecutionResult, Services } from '../../../../../src/commands/core/types.ts'
import { ListPanel } from '../../../../../src/commands/surfaces/list/ListPanel.tsx'
import * as running from '../../../../../src/commands/surfaces/run/run.ts'
import { clearDrafts } from '../../../../../src/store/drafts.ts'
import { layout } from '../../../../../src/store/layout.ts'
import { selections } from '../../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'

/** A page whose previews are approved at once, and whose operations fail on these devices. */
function hostFailingOn(failing: Readonly<Record<string, readonly string[]>>, onCarryOut: () => void): Host {
  const refuse = () => Promise.reject(new Error('Not here'))
  const nothing = () => undefined
  return {
    context: currentContext,
    sourceOf: () => 'Page 1',
    searchOf: nothing,
    matches: refuse,
    ask: refuse,
    confirm: refuse,
    targets: ({ entity }, context) => Promise.resolve(entity ? context.targets(entity) : []),
    dryRun: (_, ids) => Promise.resolve({ affected: ids, skipped: [] }),
    preview: ({ source, check }) => {
      sources.push(source)
      return check({ signal: new AbortController().signal, report: nothing })
    },
    begin: ({ id }) => ({
      job: id,
      services: {
        carryOut(_: unknown, ids: readonly string[]) {
          onCarryOut()
          carriedOut.push({ id, ids })
          const failed = ids.filter(one => failing[id]?.includes(one))
          return Promise.resolve({
            done: ids.filter(one => !failed.includes(one)),
            failed: failed.map(one => ({ id: one, message: 'Device is offline' })),
          })
        },
      } as unknown as Services,
      end: nothing,
    }),
    blocked: nothing,
    didNotRun: nothing,
    waiting: () => nothing,
    finished: nothing,
    failed: nothing,
  }
}
/** Runs commands as the page does, with this host. */
const runOn = (host: Host) =>
  vi.spyOn(running, 'runCommand').mockImplementation((command, options) => execute(host, command, options))
const selectedIds = () => selections.devices.items().map(({ id }) => id)

const carriedOut: { id: string; ids: readonly string[] }[] = []
const sources: (string | undefined)[] = []
const targets = ['a', 'b', 'c'].map(id => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' }))
const ran: { id: string; input: unknown }[] = []
let result: ExecutionResult

beforeEach(() => {
  ran.length = carriedOut.length = sources.length = 0
  result = { is: 'done' }
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  vi.spyOn(running, 'runCommand').mockImplementation(({ id }, { input } = {}) => {
    ran.push({ id, input })
    return Promise.resolve(result)
  })
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  window.history.replaceState(null, '', '/devices')
  selections.devices.replace(targets, ['page 1'])
  layout.panelTab = 'settings'
})
afterEach(() => {
  cleanup()
  clearDrafts()
  clearSession()
  selections.devices.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const show = () =>
  render(
    <ListPanel
      entity="devices"
      targets={targets}
      width={340}
      onClose={() => undefined}
      info={<p />}
      values={undefined}
    />,
  )
const apply = () => screen.queryByRole('button', { name: 'Apply to 3 devices' })
const listed = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
const off = () => within(screen.getByRole('radiogroup', { name: 'Mode' })).getByRole('radio', { name: 'Off' })
async function changeTwoSettings() {
  await userEvent.click(off())
  await userEvent.click(screen.getByRole('radio', { name: 'Rate 2' }))
}

test('one button lists what was changed and applies it, one command after the other', async () => {
  show()
  expect(apply()).toBeNull()
  await changeTwoSettings()
  expect(listed()).toEqual(['Auto-flush Mode: Off', expect.stringMatching(/^Bypass .*: Rate 2$/)])
  await userEvent.click(apply()!)
  await waitFor(() => expect(apply()).toBeNull())
  expect(ran).toEqual([
    { id: 'device.autoFlush', input: { mode: 0 } },
    { id: 'device.bypass', input: { state: 2 } },
  ])
})

test('a command that does not succeed stops the others, and the changes are kept', async () => {
  result = { is: 'invalid', fields: { mode: 'Mode is required' } }
  show()
  await changeTwoSettings()
  await userEvent.click(apply()!)
  await screen.findByText('Mode is required')
  expect(ran.map(({ id }) => id)).toEqual(['device.autoFlush'])
  expect(listed()).toHaveLength(2)
})

test('each command acts on all devices of the button, and devices that failed in any of them stay selected', async () => {
  runOn(hostFailingOn({ 'device.autoFlush': ['b'], 'device.bypass': ['c'] }, () => undefined))
  show()
  await changeTwoSettings()
  await userEvent.click(apply()!)
  await waitFor(() => expect(selectedIds()).toEqual(['b', 'c']))
  const ids = ['a', 'b', 'c']
  expect(carriedOut).toEqual([
    { id: 'device.autoFlush', ids },
    { id: 'device.bypass', ids },
  ])
  expect(sources).toEqual(['Page 1', 'Page 1'])
})

test('devices that are selected while the first command runs are not changed by the next one', async () => {
  const others = [{ ...targets[0]!, id: 'x', name: 'x' }]
  runOn(hostFailingOn({ 'device.autoFlush': ['b'] }, () => selections.devices.replace(others, ['page 2'])))
  show()
  await changeTwoSettings()
  await userEvent.click(apply()!)
  await waitFor(() => expect(carriedOut).toHaveLength(2))
  expect(carriedOut[1]).toEqual({ id: 'device.bypass', ids: ['a', 'b', 'c'] })
  expect(selectedIds()).toEqual(['x'])
})

test('Reset drops all changes', async () => {
  show()
  await changeTwoSettings()
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(apply()).toBeNull())
  expect(off().getAttribute('aria-checked')).toBe('false')
})
