/** Several forms with one button. */
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ExecutionResult } from '../../../../../src/commands/core/types.ts'
import { ListPanel } from '../../../../../src/commands/surfaces/list/ListPanel.tsx'
import * as running from '../../../../../src/commands/surfaces/run/run.ts'
import { clearDrafts } from '../../../../../src/store/drafts.ts'
import { layout } from '../../../../../src/store/layout.ts'
import { selections } from '../../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'

const targets = ['a', 'b', 'c'].map(id => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' }))
const ran: { id: string; input: unknown }[] = []
let result: ExecutionResult

beforeEach(() => {
  ran.length = 0
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

test('Reset drops all changes', async () => {
  show()
  await changeTwoSettings()
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  await waitFor(() => expect(apply()).toBeNull())
  expect(off().getAttribute('aria-checked')).toBe('false')
})
