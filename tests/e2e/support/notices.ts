/** Notifications of devices that a test speaks for, seen by a vendor that has no others. */
import { expect, type Page } from '@playwright/test'
import type { Notification } from '../../../src/api/contract/notifications.ts'
import { firmware } from '../../../server/demo/catalogue.ts'
import { faults } from '../../../src/domain/notifications/types.ts'
import { callerFor, newCredential, newVendor, unique, type Caller } from './api.ts'
import type { WorkerServer } from './fixtures.ts'
import { connectDevice, type WireDevice } from './wireDevice.ts'

const platform = 'esp32'
export const password = 'a-vendors-own-password'

export interface Teller {
  /** The vendor's. */
  readonly login: string
  readonly caller: Caller
  readonly bssid: string
  readonly device: WireDevice
  /** All there are, newest first, as the server has them. */
  list(): Promise<readonly Notification[]>
  /** Begins and ends every fault so many times: ten notifications each, none of which is a leak but every tenth. */
  tellFaults(times: number): Promise<void>
  /** One more, of this type. */
  tell(fault: (typeof faults)[number]): Promise<void>
}

/** A new vendor with one device on the wire, which closes its valve when it is told to. */
export async function teller(server: WorkerServer): Promise<Teller> {
  const admin = await callerFor(server.url, 'admin')
  const { login, id } = await newVendor(admin, password)
  const model = unique('RO')
  await admin.call('POST', '/api/v3/devices/models', {
    name: model,
    platform,
    capabilities: ['flush', 'valve'],
    bypass_flow_rates: [0, 0.1, 0.2, 0.4],
    vendors: [id],
  })
  const credential = await newCredential(admin, { platform, model, vendor: login, description: 'Under the sink' })
  const { bssid } = credential
  const device = await connectDevice(server.mqttPort(), credential, undefined, {
    status: 0,
    // Nothing newer is offered to it, and nobody waits for it to speak: it is told of by nothing but what a test says.
    firmware: firmware[platform]!.at(-1),
    report_interval: 86_400,
  })
  const caller = await callerFor(server.url, login, password)
  const list = async () =>
    ((await caller.call('GET', '/api/v3/notifications?limit=1000')) as { data: Notification[] }).data
  const made = async (say: () => Promise<void>, count: number) => {
    const before = (await list()).length
    await say()
    await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(before + count)
  }
  return {
    login,
    caller,
    bssid,
    device,
    list,
    async tellFaults(times) {
      for (let time = 0; time < times; time++) {
        await made(() => device.state({ faults: [...faults] }), faults.length)
        await device.state({ faults: [] })
      }
    },
    async tell(fault) {
      await made(async () => {
        await device.state({ faults: [] })
        await device.state({ faults: [fault] })
      }, 1)
    },
  }
}

export const feed = (page: Page) => page.getByRole('feed', { name: 'Notifications' })
export const notes = (page: Page) => feed(page).getByRole('article')
export const focused = (page: Page) => page.locator('article:focus')
export const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Notifications/ })
/** `24 of 31`, or the end. */
export const loadedOf = (page: Page) => page.getByText(/^\d+ of \d+$|^No more notifications\.$/)

/** Opens the screen by its keys. */
export async function openNotifications(page: Page) {
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await expect(page).toHaveURL(/\/notifications(\?|$)/, { timeout: 2000 })
  }).toPass({ timeout: 15_000 })
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeFocused()
}

/** The questions for the list from now on. */
export function listCalls(page: Page) {
  const calls: URLSearchParams[] = []
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v3/notifications') calls.push(searchParams)
  })
  return calls
}
