/** The side panel of selected devices. */
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { executor } from '../../../../src/commands/surfaces/host/host.ts'
import { setExecutor } from '../../../../src/commands/surfaces/run/run.ts'
import { DevicePanel } from '../../../../src/screens/devices/DevicePanel.tsx'
import { clearSelections, selections } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'

const nothing = () => undefined

beforeEach(() => {
  setExecutor(executor)
  window.history.replaceState(null, '', '/devices')
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }))
  vi.stubGlobal('fetch', () => new Promise(nothing))
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  cleanup()
  clearSelections()
  clearSession()
  vi.unstubAllGlobals()
})

test('after a device is removed from the selection by key, the next one has the focus', async () => {
  selections.devices.add(
    ['A', 'B', 'C'].map(id => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })),
  )
  render(
    <>
      <h1 id="list-title" tabIndex={-1}>
        Devices
      </h1>
      <DevicePanel width={340} onClose={nothing} />
    </>,
  )
  const chip = (name: string) => screen.findByRole('button', { name })
  ;(await chip('B')).focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(async () => expect(document.activeElement).toBe(await chip('C')))
  await userEvent.keyboard('{Enter}')
  // The panel of a single device has no list.
  await waitFor(() => expect(document.activeElement?.id).toBe('list-title'))
})
