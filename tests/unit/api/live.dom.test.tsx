/** Live updates on screen: only changed rows are rendered again. */
import { cleanup, render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache, clearCache } from '../../../src/api/cache.ts'
import { updatesSince } from '../../../src/api/deviceUpdates.ts'
import type { Device } from '../../../src/api/contract/devices.ts'
import { startLiveUpdates } from '../../../src/api/live.ts'
import { feedKey, showNotifications } from '../../../src/api/notificationFeed.ts'
import { useUnseen } from '../../../src/api/notifications.ts'
import type { Cells } from '../../../src/commands/surfaces/list/columns.tsx'
import { ListScreen } from '../../../src/commands/surfaces/list/ListScreen.tsx'
import { deviceColumns } from '../../../src/domain/columns/devices.ts'
import { connection } from '../../../src/store/connection.ts'
import { lists, resetLists } from '../../../src/store/lists.ts'
import { clearSession, setSession } from '../../../src/store/session.ts'
import { until } from '../../support/until.ts'

const bssids = Array.from({ length: 8 }, (_, at) => `A4:1C:09:7E:33:0${at}`)
const device = (bssid: string, description: string) =>
  ({ bssid, description, status: 0, platform: 'esp32', vendor: { _id: 'v', company_name: 'C' } }) as Device

let stored: Map<string, string>
/** The paths requested besides the stream, and a promise that delays the responses. */
let requested: string[]
let responseDelay: Promise<unknown>
let sendEvent: (event: string, data: unknown) => void
let stop: (() => void) | undefined
let rendered: string[]

const nothing = () => undefined
const cells: Cells<'devices'> = {
  description({ bssid, description }) {
    rendered.push(bssid)
    return description
  },
}

beforeEach(() => {
  stored = new Map(bssids.map(bssid => [bssid, 'Before']))
  requested = []
  responseDelay = Promise.resolve()
  rendered = []
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = nothing
      unobserve = nothing
      disconnect = nothing
    },
  )
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }))
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.endsWith('/stream')) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          sendEvent = (event, data) =>
            controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
        },
      })
      return new Response(body)
    }
    requested.push(path)
    // The state at the time of the request, even if the response is delayed.
    const data = [...stored].map(([bssid, description]) => device(bssid, description))
    await responseDelay
    return new Response(JSON.stringify({ data: { count: data.length, data } }))
  })
})
afterEach(() => {
  stop?.()
  cleanup()
  clearCache()
  resetLists()
  clearSession()
  vi.unstubAllGlobals()
})

const cell = (bssid: string) =>
  within(screen.getByRole('checkbox', { name: `Select ${bssid}` }).closest<HTMLElement>('[role=row]')!)
const shows = (bssid: string, description: string) =>
  until(() => expect(cell(bssid).getByText(description)).toBeTruthy())
const changeOf = (bssid: string, description: string) => ({ devices: [device(bssid, description)] })

const pendingKeys = () => [...cache.keys()].filter(key => cache.get(key)?.isValidating)

/** Renders the list and waits until the stream is open and the requests that follow have ended. */
async function renderLiveList() {
  for (const id of Object.keys(deviceColumns)) lists.devices.shown[id] = id === 'bssid' || id === 'description'
  render(
    <SWRConfig value={{ dedupingInterval: 0 }}>
      <MemoryRouter>
        <ListScreen entity="devices" cells={cells} empty={{ text: '' }} />
      </MemoryRouter>
    </SWRConfig>,
  )
  await shows(bssids[0]!, 'Before')
  // On a busy machine, parts of the screen that are loaded on demand read the list again.
  await until(() => expect(pendingKeys()).toEqual([]))
  const before = requested.length
  stop = startLiveUpdates()
  await until(() => expect(connection.streaming).toBe(true))
  // Opening the stream revalidates what was read before.
  await until(() => expect(requested.length).toBeGreaterThan(before))
  await until(() => expect(pendingKeys()).toEqual([]))
}

test('a device from the stream is rendered in its place, without rendering others or requesting the list', async () => {
  await renderLiveList()
  const before = [...requested]
  rendered.length = 0
  sendEvent('devices', changeOf(bssids[3]!, 'After'))
  await shows(bssids[3]!, 'After')
  expect(new Set(rendered)).toEqual(new Set([bssids[3]]))
  expect(
    screen
      .getAllByRole('row')
      .map(row => row.dataset.id)
      .filter(Boolean),
  ).toEqual(bssids)
  expect(requested).toEqual(before)
})

test('a response that was pending when a change arrived does not revert it', async () => {
  await renderLiveList()
  let answer: () => void = () => undefined
  responseDelay = new Promise<void>(resolve => {
    answer = resolve
  })
  const before = requested.length
  sendEvent('changed', { resources: ['devices'] })
  await until(() => expect(requested.length).toBeGreaterThan(before))
  stored.set(bssids[5]!, 'Changed after the request')
  sendEvent('devices', changeOf(bssids[5]!, 'Changed after the request'))
  await until(() => expect(updatesSince(0).has(bssids[5]!)).toBe(true))
  answer()
  await shows(bssids[5]!, 'Changed after the request')
})

test('a changed resource is requested again if it is on screen', async () => {
  await renderLiveList()
  const before = requested.length
  stored.set(bssids[2]!, 'Changed elsewhere')
  sendEvent('changed', { resources: ['vendors'] })
  sendEvent('changed', { resources: ['devices'] })
  await shows(bssids[2]!, 'Changed elsewhere')
  expect(requested.slice(before).every(path => path.startsWith('/api/v3/devices?'))).toBe(true)
})

test('a seen event requests the unseen count again, but not the list', async () => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '2', userRole: 'admin', login: 'admin' })
  const Unseen = () => <p>{useUnseen().data && 'Counted'}</p>
  render(
    <SWRConfig value={{ dedupingInterval: 0 }}>
      <Unseen />
    </SWRConfig>,
  )
  await showNotifications(feedKey('2', {}))
  stop = startLiveUpdates()
  await until(() => expect(connection.streaming).toBe(true))
  const isList = (path: string) => path.startsWith('/api/v3/notifications?')
  await until(() => expect(requested.filter(isList)).toHaveLength(2))
  await until(() => expect([...cache.keys()].filter(key => cache.get(key)?.isValidating)).toEqual([]))
  const before = requested.length
  sendEvent('seen', {})
  await until(() => expect(requested.slice(before)).toContain('/api/v3/notifications/unseen'))
  await until(() => expect([...cache.keys()].filter(key => cache.get(key)?.isValidating)).toEqual([]))
  expect(requested.slice(before)).toEqual(['/api/v3/notifications/unseen'])
})
