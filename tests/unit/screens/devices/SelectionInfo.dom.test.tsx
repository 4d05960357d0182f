/** What the panel says about several selected devices. */
import { cleanup, render, screen, within } from '@testing-library/react'
import { SWRConfig } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearCache } from '../../../../src/api/cache.ts'
import type { Device } from '../../../../src/api/contract/devices.ts'
import { loadPage } from '../../../../src/api/hooks.ts'
import { itemOf } from '../../../../src/api/lists.ts'
import { queryOf } from '../../../../src/api/readList.ts'
import { MatchesInfo, PageInfo, SelectionInfo } from '../../../../src/screens/devices/SelectionInfo.tsx'
import { lists, resetLists } from '../../../../src/store/lists.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { bssidOf, fleetDevice, serveFleet } from '../../support/fleet.ts'

const day = 86_400_000
const values: Partial<Device> = {
  recovery_rate: 40,
  rejection_rate: null,
  temperature: 18,
  pressure: 3.456,
  feed_tds: 300,
  permeate_tds: 12,
  firmware: '2.2.3',
  cartridges: [],
}
const cartridge = {
  _id: 'c',
  model: 'PP-5',
  type: 0,
  resource: 1000,
  ttl: 365,
  installed_at: new Date(0).toISOString(),
  replace_at: new Date(Date.now() - day).toISOString(),
  total: 10,
}
const device = (at: number, of: Partial<Device> = {}) => ({ ...fleetDevice(at, of), ...values, ...of }) as Device
const fleet = [
  device(1, { temperature: 24.6, status: 3 }),
  device(2, { cartridges: [cartridge, cartridge], firmware: '1.0' }),
  device(3, { recovery_rate: null, model: { _id: 'm2', name: 'RO-200' } }),
]

beforeEach(() => {
  serveFleet(() => fleet)
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  cleanup()
  clearCache()
  resetLists()
  clearSession()
  vi.restoreAllMocks()
})

/** Returns the texts of a section's rows. */
const rows = (title: string) => {
  const section = screen.getByRole('heading', { name: title }).parentElement!
  return within(section)
    .getAllByRole('term')
    .map(term => term.parentElement!.textContent)
}

test('devices on pages that were opened are summed up', async () => {
  await loadPage('devices', { offset: 0, limit: 20 })
  render(<SelectionInfo targets={fleet.map(row => itemOf('devices', row))} />)
  expect(rows('Status')).toEqual(['Ready2', 'Offline1'])
  expect(rows('Company')).toEqual(['Clearspring3'])
  expect(rows('Model')).toEqual(['RO-4002', 'RO-2001'])
  expect(rows('Firmware')).toEqual(['2.2.32', '1.01'])
  expect(rows('Latest readings (min–max)')).toEqual([
    'Recovery40.0 %',
    'Rejection–',
    'Temperature18.0 – 24.6 °C',
    'Pressure3.46 bar',
    'Feed TDS300 ppm',
    'Permeate TDS12 ppm',
  ])
  expect(rows('Filters to replace')).toEqual(['Expired2 in 1 device', 'Due within 30 daysNone'])
  expect(screen.queryByText(/opened so far/)).toBeNull()
})

test('of devices on other pages, what is stored is shown, and the rest is said to be unknown', async () => {
  await loadPage('devices', { offset: 0, limit: 2 })
  const other = { ...itemOf('devices', fleet[2]!), status: 4, company: 'Elsewhere' }
  const { unmount } = render(<SelectionInfo targets={[itemOf('devices', fleet[0]!), other]} />)
  expect(rows('Status')).toEqual(['Offline1', 'Leak1'])
  expect(rows('Company')).toEqual(['Clearspring1', 'Elsewhere1'])
  expect(rows('Model')).toEqual(['RO-4001'])
  expect(screen.getByText(/are those of 1 of 2 devices\. The others are not on the pages/)).toBeTruthy()
  unmount()

  render(<SelectionInfo targets={[other, { ...other, id: bssidOf(9) }]} />)
  expect(rows('Status')).toEqual(['Leak2'])
  expect(screen.queryByRole('heading', { name: 'Model' })).toBeNull()
  expect(screen.getByText(/of these devices are not on the pages opened so far/)).toBeTruthy()
})

test('while no device is chosen, those on the page are summed up', async () => {
  await loadPage('devices', queryOf(lists.devices))
  render(<PageInfo />)
  expect(rows('Status')).toEqual(['Ready2', 'Offline1'])
  expect(rows('Filters to replace')).toEqual(['Expired2 in 1 device', 'Due within 30 daysNone'])
  expect(screen.getByText('About the 3 devices on this page. Select one to see its details.')).toBeTruthy()
})

test('the matches of a followed search are read with one call, and it is said if there are more', async () => {
  const draw = (count: number) => (
    <SWRConfig value={{ dedupingInterval: 0 }}>
      <MatchesInfo query={{ search: '', column: undefined, operator: 'co' }} count={count} />
    </SWRConfig>
  )
  const requests = serveFleet(() => fleet)
  const { rerender } = render(draw(3))
  await vi.waitFor(() => expect(rows('Status')).toEqual(['Ready2', 'Offline1']))
  expect(requests.map(({ query }) => query)).toEqual([{ offset: 0, limit: 1000 }])
  expect(screen.queryByText(/that match/)).toBeNull()
  rerender(draw(4210))
  expect(screen.getByText(/the first 3 of 4,210 matching devices/)).toBeTruthy()
})
