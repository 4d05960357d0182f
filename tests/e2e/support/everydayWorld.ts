/** Data for the everyday jobs (devices, vendors, models), and what to wait for between key presses. */
import type { Page } from '@playwright/test'
import type { Credential } from '../../../src/api/contract/devices.ts'
import type { Caller } from './api.ts'
import { messages, palette, row, selectedCount } from './devices.ts'
import { expect, type WorkerServer } from './fixtures.ts'
import { password } from './notifications.ts'
import { connectDevice } from './wireDevice.ts'

export interface World {
  readonly page: Page
  readonly server: WorkerServer
  readonly admin: Caller
}

/** Uploads devices whose ids begin with `start`, and returns their credentials. */
export async function devicesOf(
  admin: Caller,
  start: string,
  count: number,
  { model = 'RO-400 Home', vendor = 'vendor', description = '' } = {},
): Promise<readonly Credential[]> {
  const ids = Array.from({ length: count }, (_, place) => {
    const digits = place.toString(16).toUpperCase().padStart(4, '0')
    return `${start}:00:00:${digits.slice(0, 2)}:${digits.slice(2)}`
  })
  const lines = ids.map(id => `${id},esp32,${model},${vendor},${description}`)
  const { credentials } = (await admin.upload(
    '/api/v3/devices/file',
    ['bssid,platform,model,vendor,description', ...lines].join('\n'),
  )) as { credentials: readonly Credential[] }
  return credentials
}

/** Connects a device and waits until the server has its status. */
export async function connect({ server, admin }: World, credential: Credential, status = 0) {
  await connectDevice(server.mqttPort(), credential, undefined, { status, firmware: '2.0.1' })
  await expect
    .poll(async () => ((await admin.call('GET', `/api/v3/devices/${credential.bssid}`)) as { status: number }).status)
    .toBe(status)
}

/** Creates a vendor with this company name and returns its id. */
export async function newCompany(admin: Caller, login: string, name: string): Promise<string> {
  const { _id: id } = (await admin.call('POST', '/api/v3/vendors', {
    login,
    password,
    first_name: 'Vera',
    last_name: 'Test',
    company_name: name,
    company_address: 'Quay 1',
  })) as { _id: string }
  return id
}

export const newModel = (admin: Caller, name: string, vendor: string) =>
  admin.call('POST', '/api/v3/devices/models', {
    name,
    platform: 'esp32',
    capabilities: ['flush'],
    bypass_flow_rates: [0, 0.1, 0.2, 0.4],
    vendors: [vendor],
  })

/** Returns the name of the next download. Handles the rejection, for a test that failed before it awaits the name. */
export function savedFile(page: Page): Promise<string> {
  const name = page.waitForEvent('download').then(file => file.suggestedFilename())
  name.catch(() => undefined)
  return name
}

/** Returns functions that wait for what a person sees before pressing the next key. */
export const expectations = (page: Page) => {
  const field = (name: string) => palette(page).getByRole('combobox', { name, exact: true })
  const first = palette(page).getByRole('option', { selected: true })
  return {
    prompt: (name: string) => () => expect(field(name)).toBeFocused(),
    palette: () => expect(palette(page).getByRole('combobox')).toBeFocused(),
    found: (text: string) => () => expect(first).toContainText(text),
    /** Any number of devices is selected. */
    someSelected: async () => {
      await expect(palette(page)).toBeHidden()
      await expect(page.getByRole('navigation', { name: 'Main' })).toContainText(/Devices selected: [1-9]/)
    },
    message: (text: string) => () => expect(messages(page)).toContainText(text),
    selected: (count: number) => async () => {
      await expect(palette(page)).toBeHidden()
      await selectedCount(page, count)
    },
    /** The preview is loaded and Enter confirms it. */
    preview: (title: string | RegExp) => () =>
      expect(
        // Behind the chips of its policy.
        page
          .getByRole('alertdialog', { name: title })
          .getByRole('button', { name: /^(?!Cancel)/, disabled: false })
          .last(),
      ).toBeFocused(),
    screen: (name: string) => async () => {
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeFocused()
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    },
    focused: (bssid: string) => () => expect(row(page, bssid)).toBeFocused(),
  }
}
