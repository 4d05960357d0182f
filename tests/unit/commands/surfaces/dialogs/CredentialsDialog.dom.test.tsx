/** Device credentials are shown once, closed only after confirmation, and stored nowhere by the console. */
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import toast from 'react-hot-toast/headless'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cache } from '../../../../../src/api/cache.ts'
import { lastRun } from '../../../../../src/commands/core/runs/lastRun.ts'
import { Dialogs } from '../../../../../src/shell/dialogs.tsx'
import { executor } from '../../../../../src/commands/surfaces/host/host.ts'
import { run, setExecutor } from '../../../../../src/commands/surfaces/run/run.ts'
import { anyOverlay, closeOverlays, overlay, showCredentials } from '../../../../../src/store/overlays.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import { until } from '../../../../support/until.ts'

const one = { bssid: 'A4:1C:09:7E:33:0B', secret: 'first-secret' }
const other = { bssid: 'A4:1C:09:7E:33:0C', secret: 'second-secret' }
let saved: { name: string; text: Promise<string> }[]
let pending: Blob | undefined

beforeEach(() => {
  setExecutor(executor)
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  saved = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  URL.createObjectURL = content => {
    pending = content as Blob
    return 'blob:made'
  }
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: pending!.text() })
  })
})
afterEach(() => {
  cleanup()
  closeOverlays()
  clearSession()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const dialog = () => screen.queryByRole('dialog', { name: /^Credentials of/ })
const question = () => screen.queryByRole('alertdialog')

describe('the dialog', () => {
  test('is not closed by pressing Esc repeatedly', async () => {
    const user = userEvent.setup()
    showCredentials([one])
    render(<Dialogs />)
    expect(dialog()?.textContent).toContain(one.secret)
    for (let times = 0; times < 3; times++) {
      await user.keyboard('{Escape}')
      await until(() => expect(question()).toBeTruthy())
      await user.keyboard('{Escape}')
      await until(() => expect(dialog()?.textContent).toContain(one.secret))
    }
    expect(saved).toEqual([])
  })

  test('closes after confirmation', async () => {
    const user = userEvent.setup()
    showCredentials([one])
    render(<Dialogs />)
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: /Close without saving/ }))
    await until(() => expect(anyOverlay()).toBe(false))
  })

  test('downloads a file with escaped formulas, and then closes without a question', async () => {
    const user = userEvent.setup()
    showCredentials([one, { bssid: other.bssid, secret: '=cmd()' }])
    render(<Dialogs />)
    await user.click(screen.getByRole('button', { name: /Download/ }))
    expect(saved).toHaveLength(1)
    expect(saved[0]!.name).toMatch(/^device-credentials-[\dTZ-]+\.csv$/)
    expect(await saved[0]!.text).toBe(`bssid,secret\r\n${one.bssid},${one.secret}\r\n${other.bssid},'=cmd()\r\n`)
    await user.keyboard('{Escape}')
    await until(() => expect(anyOverlay()).toBe(false))
  })

  test('does not count credentials as saved if copying failed', async () => {
    const user = userEvent.setup()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
    showCredentials([one])
    render(<Dialogs />)
    await user.click(screen.getByRole('button', { name: /Copy/ }))
    await user.keyboard('{Escape}')
    await until(() => expect(question()).toBeTruthy())
  })
})

test('credentials of a second upload are added, and the dialog counts as unsaved again', async () => {
  const user = userEvent.setup()
  showCredentials([one])
  render(<Dialogs />)
  await user.click(screen.getByRole('button', { name: /Download/ }))
  showCredentials([other])
  await until(() => expect(dialog()?.textContent).toContain(other.secret))
  expect(dialog()?.textContent).toContain('Credentials of 2 devices')
  await user.keyboard('{Escape}')
  await until(() => expect(question()).toBeTruthy())
  // Credentials that arrive during the question are not covered by its answer.
  showCredentials([{ bssid: 'A4:1C:09:7E:33:0D', secret: 'third-secret' }])
  await user.keyboard('{Enter}')
  await until(() => expect(dialog()?.textContent).toContain('third-secret'))
})

test('credentials that arrive during copying do not count as copied', async () => {
  // Sets up the clipboard.
  userEvent.setup()
  const copying = Promise.withResolvers<void>()
  vi.spyOn(navigator.clipboard, 'writeText').mockReturnValue(copying.promise)
  showCredentials([one])
  const copied = run('device.copyCredentials')
  showCredentials([other])
  copying.resolve()
  await copied
  expect(overlay.credentials).toMatchObject({ list: [one, other], savedAs: undefined })
  await run('device.copyCredentials')
  expect(overlay.credentials).toMatchObject({ list: [one, other], savedAs: 'Copied' })
})

test('an upload shows its credentials and stores them nowhere', async () => {
  const successToast = vi.spyOn(toast, 'success')
  const answer = { created: 2, credentials: [one, other] }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data: answer })))
  const file = new File(['bssid\n'], 'devices.csv')
  expect(await run('device.upload', { input: { file } })).toEqual({ is: 'done' })
  expect(overlay.credentials).toMatchObject({ list: [one, other], savedAs: undefined })
  expect(successToast).toHaveBeenCalledWith('Created 2 devices')
  const everythingStored = JSON.stringify([
    [localStorage, sessionStorage].map(storage => Object.entries(storage)),
    [...cache.keys()].map(key => cache.get(key)),
    lastRun(),
  ])
  for (const { secret } of [one, other]) expect(everythingStored).not.toContain(secret)
  // Closing all overlays, as at the end of the session, removes them.
  closeOverlays()
  expect(overlay.credentials).toBeUndefined()
})
