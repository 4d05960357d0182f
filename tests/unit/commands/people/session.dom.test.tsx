/** Signing in after a session has expired: the same person's state is kept, another person's is reset. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { registerTask } from '../../../../src/commands/core/runs/activeTasks.ts'
import { syncScriptCommands } from '../../../../src/commands/scripts/syncCommands.ts'
import { setRunning } from '../../../../src/commands/scripts/running.ts'
import { sessionCommands } from '../../../../src/commands/people/session.ts'
import { signIn } from '../../../../src/commands/people/signIn.ts'
import { tour } from '../../../../src/commands/tour/state.ts'
import { calendar } from '../../../../src/store/calendar.ts'
import { charts, cursor } from '../../../../src/store/charts.ts'
import { notificationsView } from '../../../../src/store/notificationsView.ts'
import { anyOverlay, showCredentials } from '../../../../src/store/overlays.ts'
import { clearStored } from '../../../../src/store/persist.ts'
import { clearSession } from '../../../../src/store/session.ts'

beforeEach(() => {
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    const { login } = JSON.parse(body) as { login: string }
    const data = { access_token: 'a', refresh_token: 'r', user_id: `id of ${login}`, user_role: 'vendor' }
    return Promise.resolve(new Response(JSON.stringify({ data })))
  })
})
afterEach(() => {
  clearStored()
  vi.unstubAllGlobals()
})

const own = {
  notices: { hidden: ['leak'], onlySelected: true, findings: false, unfolded: ['n1'] },
  calendar: { onlySelected: true, date: '2026-03-01', draft: { title: 'Visit' } },
  charts: {
    until: '2026-03-01T12:00:00.000Z',
    cursorTime: '2026-03-01T11:00:00.000Z',
    onlyDevice: 'FE:E2:00:00:00:01',
    chosenDevices: ['FE:E2:00:00:00:02'],
    hiddenDevices: ['FE:E2:00:00:00:03'],
    enlargedChart: 'flow',
    zoom: { from: 1, to: 2 },
  },
}

async function workThenExpire() {
  await signIn('one', 'secret')
  Object.assign(notificationsView, own.notices)
  Object.assign(calendar, own.calendar)
  Object.assign(charts, own.charts)
  cursor.x = 1
  tour.step = 1
  clearSession()
}

test('signing in again as the same person keeps the state', async () => {
  await workThenExpire()
  await signIn('one', 'secret')
  expect(notificationsView).toMatchObject(own.notices)
  expect(calendar).toMatchObject(own.calendar)
  expect(charts).toMatchObject(own.charts)
})

test('signing in as another person resets the state', async () => {
  await workThenExpire()
  showCredentials([{ bssid: 'FE:E2:00:00:00:01', secret: 'of one' }])
  await signIn('another', 'secret')
  expect(anyOverlay()).toBe(false)
  expect(notificationsView).toMatchObject({ hidden: [], onlySelected: false, findings: true, unfolded: [] })
  expect(tour.step).toBeUndefined()
  expect(calendar).toMatchObject({ onlySelected: false, date: undefined, draft: {} })
  expect(charts).toMatchObject({ chosenDevices: [], hiddenDevices: [] })
  expect([charts.until, charts.cursorTime, charts.onlyDevice, charts.enlargedChart, charts.zoom, cursor.x]).toEqual(
    Array.from({ length: 6 }, () => undefined),
  )
})

test('an export stops when another person signs in, and goes on for the same person', async () => {
  await signIn('one', 'secret')
  const cancel = new AbortController()
  const end = registerTask({ title: 'Exporting', cancel })
  clearSession()
  await signIn('one', 'secret')
  expect(cancel.signal.aborted).toBe(false)
  clearSession()
  await signIn('two', 'secret')
  expect(cancel.signal.aborted).toBe(true)
  end()
})

test('logging out asks for confirmation only while commands run', () => {
  const titles = () => sessionCommands.map(command => command.prepare(currentContext(), {}).question?.title)
  expect(titles()).toEqual([undefined])
  setRunning(new AbortController())
  expect(titles()).toEqual(['Log out while commands are running?'])
  setRunning(undefined)
})

test('a script stops when another person signs in', async () => {
  await signIn('one', 'secret')
  syncScriptCommands()
  const running = new AbortController()
  setRunning(running)
  const stopped = new Promise(resolve => running.signal.addEventListener('abort', resolve))
  await signIn('another', 'secret')
  await stopped
  setRunning(undefined)
})
