/** A vendor whose only notifications are those that a test raises, and locators for the notifications screen. */
import { expect, type Page } from '@playwright/test'
import type { Notification } from '../../../src/api/contract/notifications.ts'
import { firmware } from '../../../server/demo/catalogue.ts'
import { faults } from '../../../src/domain/notifications/types.ts'
import { callerFor, newCredential, newVendor, unique, type Caller } from './api.ts'
import type { WorkerServer } from './fixtures.ts'
import { connectDevice, type WireDevice } from './wireDevice.ts'

const platform = 'esp32'
export const password = 'a-vendors-own-password'

export interface NotifyingVendor {
  readonly login: string
  /** Calls the API as the vendor. */
  readonly caller: Caller
  readonly bssid: string
  readonly device: WireDevice
  /** Returns all notifications of the vendor from the server, newest first. */
  list(): Promise<readonly Notification[]>
  /** Begins and ends every fault `times` times; each time adds ten notifications, one of which is a leak. */
  raiseAllFaults(times: number): Promise<void>
  /** Ends all faults and begins this one, which adds a notification. */
  raise(fault: (typeof faults)[number]): Promise<void>
}

/** Creates a vendor with one connected device, which has a valve and executes commands. */
export async function newNotifyingVendor(server: WorkerServer): Promise<NotifyingVendor> {
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
    // The newest firmware and a long report interval, so that only the faults of a test create notifications.
    firmware: firmware[platform]!.at(-1),
    report_interval: 86_400,
  })
  const caller = await callerFor(server.url, login, password)
  const list = async () =>
    ((await caller.call('GET', '/api/v3/notifications?limit=1000')) as { data: Notification[] }).data
  const expectMore = async (count: number, change: () => Promise<void>) => {
    const before = (await list()).length
    await change()
    await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(before + count)
  }
  return {
    login,
    caller,
    bssid,
    device,
    list,
    async raiseAllFaults(times) {
      for (let time = 0; time < times; time++) {
        await expectMore(faults.length, () => device.state({ faults: [...faults] }))
        await device.state({ faults: [] })
      }
    },
    async raise(fault) {
      await expectMore(1, async () => {
        await device.state({ faults: [] })
        await device.state({ faults: [fault] })
      })
    },
  }
}

export const feed = (page: Page) => page.getByRole('feed', { name: 'Notifications' })
export const notes = (page: Page) => feed(page).getByRole('article')
export const focused = (page: Page) => page.locator('article:focus')
export const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Notifications/ })
/** The count below the list: `24 of 31`, or the note that there are no more. */
export const loadedOf = (page: Page) => page.getByText(/^\d+ of \d+$|^No more notifications\.$/)

/** Opens the notifications with the keyboard. */
export async function openNotifications(page: Page) {
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await expect(page).toHaveURL(/\/notifications(\?|$)/, { timeout: 2000 })
  }).toPass({ timeout: 15_000 })
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeFocused()
}

/** Collects the queries for the list of notifications from now on. */
export function listCalls(page: Page) {
  const calls: URLSearchParams[] = []
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v3/notifications') calls.push(searchParams)
  })
  return calls
}
