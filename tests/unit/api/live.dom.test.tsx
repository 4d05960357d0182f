/** Changed rows on screen: those that have changed are drawn anew, and no others. */
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
/** What the server is asked for besides the stream, and how it is to answer. */
let asked: string[]
let answering: Promise<unknown>
let tell: (event: string, data: unknown) => void
let stop: (() => void) | undefined
let drawn: string[]

const nothing = () => undefined
const cells: Cells<'devices'> = {
  description({ bssid, description }) {
    drawn.push(bssid)
    return description
  },
}

beforeEach(() => {
  stored = new Map(bssids.map(bssid => [bssid, 'Before']))
  asked = []
  answering = Promise.resolve()
  drawn = []
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
          tell = (event, data) =>
            controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
        },
      })
      return new Response(body)
    }
    asked.push(path)
    // As it is when it is asked for, however long the answer takes.
    const data = [...stored].map(([bssid, description]) => device(bssid, description))
    await answering
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

/** The list on screen, with the stream open and everything that comes of that done. */
async function shown() {
  for (const id of Object.keys(deviceColumns)) lists.devices.shown[id] = id === 'bssid' || id === 'description'
  render(
    <SWRConfig value={{ dedupingInterval: 0 }}>
      <MemoryRouter>
        <ListScreen entity="devices" cells={cells} empty={{ text: '' }} />
      </MemoryRouter>
    </SWRConfig>,
  )
  await shows(bssids[0]!, 'Before')
  stop = startLiveUpdates()
  await until(() => expect(connection.streaming).toBe(true))
  // Opened, it reads once what was read before.
  await until(() => expect(asked).toHaveLength(2))
  await until(() => expect([...cache.keys()].some(key => cache.get(key)?.isValidating)).toBe(false))
}

test('a row that is told of is drawn anew in its place; the others are left alone, and nothing is read', async () => {
  await shown()
  const before = [...asked]
  drawn.length = 0
  tell('devices', changeOf(bssids[3]!, 'After'))
  await shows(bssids[3]!, 'After')
  expect(new Set(drawn)).toEqual(new Set([bssids[3]]))
  expect(
    screen
      .getAllByRole('row')
      .map(row => row.dataset.id)
      .filter(Boolean),
  ).toEqual(bssids)
  expect(asked).toEqual(before)
})

test('an answer that was under way when a change was told does not take it back', async () => {
  await shown()
  let answer: () => void = () => undefined
  answering = new Promise<void>(resolve => {
    answer = resolve
  })
  const before = asked.length
  tell('changed', { resources: ['devices'] })
  await until(() => expect(asked.length).toBeGreaterThan(before))
  stored.set(bssids[5]!, 'Told and stored, after the answer was made')
  tell('devices', changeOf(bssids[5]!, 'Told and stored, after the answer was made'))
  await until(() => expect(updatesSince(0).has(bssids[5]!)).toBe(true))
  answer()
  await shows(bssids[5]!, 'Told and stored, after the answer was made')
})

test('what has changed as a whole is read again, of what is on screen', async () => {
  await shown()
  const before = asked.length
  stored.set(bssids[2]!, 'Changed elsewhere')
  tell('changed', { resources: ['vendors'] })
  tell('changed', { resources: ['devices'] })
  await shows(bssids[2]!, 'Changed elsewhere')
  expect(asked.slice(before).every(path => path.startsWith('/api/v3/devices?'))).toBe(true)
})

test('that notifications were seen reads their number again, and nothing of the list', async () => {
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
  const list = '/api/v3/notifications?offset=0&limit=12'
  await until(() => expect(asked.filter(path => path === list)).toHaveLength(2))
  await until(() => expect([...cache.keys()].some(key => cache.get(key)?.isValidating)).toBe(false))
  const before = asked.length
  tell('seen', {})
  await until(() => expect(asked.slice(before)).toContain('/api/v3/notifications/unseen'))
  await until(() => expect([...cache.keys()].some(key => cache.get(key)?.isValidating)).toBe(false))
  expect(asked.slice(before)).toEqual(['/api/v3/notifications/unseen'])
})
