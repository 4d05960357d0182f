/** The everyday jobs of docs/keys.md, done with the keys and the number of presses in its table. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { root } from '../../../scripts/programs.ts'
import { callerFor, idOf } from '../support/api.ts'
import { eventForm, field } from '../support/calendars.ts'
import { expectDrawn } from '../support/charts.ts'
import { grid, loaded, searchField } from '../support/devices.ts'
import {
  connect,
  devicesOf,
  newCompany,
  newModel,
  savedFile,
  expectations,
  type World,
} from '../support/everydayWorld.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { backToDevices } from '../support/lists.ts'
import { password, newNotifyingVendor } from '../support/notifications.ts'

interface Listed {
  readonly job: string
  /** Each is a press or a typed text. */
  readonly keys: readonly string[]
  readonly presses: number
}

/** The table of docs/keys.md. */
const listed: readonly Listed[] = readFileSync(join(root, 'docs', 'keys.md'), 'utf8')
  .split('## Ten everyday jobs')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .flatMap(line => {
    const [, job = '', keys = '', presses = ''] = line.split('|').map(cell => cell.trim())
    return /^\d+$/.test(presses)
      ? [{ job, keys: [...keys.matchAll(/`([^`]+)`/g)].map(([, key]) => key!), presses: Number(presses) }]
      : []
  })

const keyNames: Readonly<Record<string, string>> = { '↵': 'Enter' }
const isPress = (key: string) => key.length === 1 || /^(mod|Shift)\+/.test(key)
/** Returns the number of presses; a chord counts as one, a text as its characters. */
const pressesOf = (keys: readonly string[]) => keys.reduce((sum, key) => sum + (isPress(key) ? 1 : key.length), 0)

/** What to wait for after each key; undefined where the next key may follow at once. */
type Waits = readonly ((() => Promise<unknown>) | undefined)[]
type Job = (world: World) => Promise<{ login?: string; waits: Waits }>

const jobs: Readonly<Record<string, Job>> = {
  async 'Flush every device in Leak of one vendor'(world) {
    const { page, admin } = world
    await newModel(admin, 'Yacht', await newCompany(admin, 'of-aquila', 'Aquila'))
    const [first, second] = await devicesOf(admin, 'E0:01', 3, { vendor: 'of-aquila', model: 'Yacht' })
    await connect(world, first!, 4)
    await connect(world, second!, 4)
    const { prompt, found, selected, someSelected, preview, message } = expectations(page)
    const waits = [
      undefined,
      prompt('Status'),
      found('Leak'),
      prompt('How'),
      someSelected,
      undefined,
      prompt('Vendor'),
      found('Aquila'),
      prompt('How'),
      found('Keep only these'),
      selected(2),
      preview('Flush: 2 devices'),
      message('Flushing 2 of 2 devices'),
    ]
    return { waits }
  },
  async 'Set the flush of 200 devices of one model, and retry those that were offline'(world) {
    const { page, admin } = world
    await newModel(admin, 'Villa', await idOf(admin, '/api/v3/vendors', 'login', 'vendor'))
    const [first, second, late] = await devicesOf(admin, 'E0:02', 200, { model: 'Villa' })
    await connect(world, first!)
    await connect(world, second!)
    const { prompt, found, selected, palette: opened, preview, message } = expectations(page)
    const waits = [
      undefined,
      prompt('Model'),
      found('Villa'),
      prompt('How'),
      selected(200),
      opened,
      found('Duration (s): 18'),
      preview('Auto-flush: 200 devices'),
      async () => {
        await message('Settings updated for 2 out of 200 devices')()
        await connect(world, late!)
      },
      preview('Retry “Auto-flush”: 198 devices'),
      message('Settings updated for 1 out of 198 devices'),
    ]
    return { waits }
  },
  async 'Find the device that sent the newest notification, chart its month, export it'({ page, server }) {
    const { login, bssid, raise } = await newNotifyingVendor(server)
    await raise('pump_failure')
    const { screen, prompt } = expectations(page)
    const saved = savedFile(page)
    const waits = [
      undefined,
      screen('Notifications'),
      () => expect(page.getByRole('article').first()).toBeFocused(),
      async () => {
        await expect(page.getByRole('button', { name: `Lines of ${bssid}` })).toBeVisible()
        await expectDrawn(page, 'Pressure')
      },
      () => expectDrawn(page, 'Pressure'),
      prompt('File'),
      async () => expect(await saved).toMatch(/\.xls/),
    ]
    return { login, waits }
  },
  async 'Answer the newest leak: close the valve of that device'({ page, server }) {
    const { login, raise, device } = await newNotifyingVendor(server)
    await raise('leak')
    const { screen, preview } = expectations(page)
    const waits = [
      undefined,
      screen('Notifications'),
      () => expect(page.getByRole('article').first()).toBeFocused(),
      preview(/valve/i),
      () => expect.poll(() => device.commands.at(-1)).toMatchObject({ type: 'valve' }),
    ]
    return { login, waits }
  },
  async 'Share a device, found by its description'({ page, admin }) {
    await devicesOf(admin, 'E0:05', 1, { description: 'Harbour café' })
    const { palette: opened, found, selected } = expectations(page)
    const waits = [
      opened,
      found('Harbour café'),
      selected(1),
      () => expect(page.getByTestId('share-code')).toHaveText(/\S{8}/),
    ]
    return { waits }
  },
  async 'Lock all devices that match a search, and undo it'(world) {
    const { page, admin } = world
    for (const credential of await devicesOf(admin, 'E0:06', 2)) await connect(world, credential)
    const { selected, preview, message, focused } = expectations(page)
    const waits = [
      () => expect(searchField(page)).toBeFocused(),
      () => expect(grid(page)).toHaveAttribute('aria-rowcount', '2'),
      focused('E0:06:00:00:00:00'),
      selected(2),
      preview('Lock: 2 devices'),
      message('Locked 2 of 2 devices'),
      preview('Undo “Lock”: 2 devices'),
      message('Undid “Lock” for 2 of 2 devices'),
    ]
    return { waits }
  },
  async 'Save all devices in one status as CSV'(world) {
    const { page, admin } = world
    const [one] = await devicesOf(admin, 'E0:07', 1)
    await connect(world, one!, 7)
    const { prompt, found, someSelected, palette: opened } = expectations(page)
    const saved = savedFile(page)
    const waits = [
      undefined,
      prompt('Status'),
      found('Calibration'),
      prompt('How'),
      someSelected,
      opened,
      found('Export selected devices'),
      prompt('Columns'),
      async () => expect(await saved).toMatch(/\.csv$/),
    ]
    return { waits }
  },
  async 'Plan a filter change for the first two devices'({ page }) {
    const { screen, message, selected } = expectations(page)
    const waits = [
      undefined,
      selected(1),
      undefined,
      selected(2),
      undefined,
      screen('Calendar'),
      () => expect(field(page, 'Title')).toBeFocused(),
      () => expect(field(page, 'Title')).toHaveValue('Filter change'),
      async () => {
        await message('Filter change')()
        await expect(eventForm(page).getByRole('alert')).toHaveCount(0)
      },
    ]
    return { waits }
  },
  async 'Block a vendor’s account'({ page, admin }) {
    await newCompany(admin, 'of-borealis', 'Borealis')
    const { palette: opened, found, screen, message } = expectations(page)
    const waits = [
      opened,
      found('Borealis'),
      async () => {
        await screen('Vendors')()
        await expect(page.getByRole('grid').getByRole('row', { selected: true })).toHaveCount(1)
      },
      message('Blocked'),
    ]
    return { waits }
  },
  async 'Give a device an idle protection, and the next one the same'(world) {
    const { page, admin } = world
    for (const credential of await devicesOf(admin, 'E0:10', 2)) await connect(world, credential)
    const { prompt, found, message, focused } = expectations(page)
    const protection = (place: number) => async () =>
      expect
        .poll(async () => {
          const device = await admin.call('GET', `/api/v3/devices/E0:10:00:00:00:0${place}`)
          return (device as { idle_protection: number }).idle_protection
        })
        .toBe(90)
    const waits = [
      () => expect(searchField(page)).toBeFocused(),
      () => expect(grid(page)).toHaveAttribute('aria-rowcount', '2'),
      focused('E0:10:00:00:00:00'),
      undefined,
      prompt('Duration (min)'),
      found('90'),
      async () => {
        await message('Settings updated for 1 out of 1 devices')()
        await protection(0)()
      },
      focused('E0:10:00:00:00:01'),
      protection(1),
    ]
    return { waits }
  },
}

/** The jobs that begin with the newest notification of a vendor, who has no others. */
const ofVendors: ReadonlySet<string> = new Set([
  'Find the device that sent the newest notification, chart its month, export it',
  'Answer the newest leak: close the valve of that device',
])

test('docs/keys.md lists ten everyday jobs with their correct numbers of presses', () => {
  expect(listed.map(({ job }) => job)).toEqual(Object.keys(jobs))
  for (const { job, keys, presses } of listed) expect(pressesOf(keys), job).toBe(presses)
})

/** Does a job with its keys, and waits for what each of them shows. */
async function doJob(page: Page, { job, keys }: Listed, waits: Waits) {
  expect(waits, job).toHaveLength(keys.length)
  for (const [place, key] of keys.entries())
    await test.step(`${job}: ${key}`, async () => {
      if (isPress(key)) await page.keyboard.press(keyNames[key] ?? key.replace('mod', 'Control').replace('↵', 'Enter'))
      else await page.keyboard.type(key)
      await waits[place]?.()
    })
}

test('the everyday jobs of an administrator are done with the keys of docs/keys.md', async ({ page, server }) => {
  test.slow()
  const admin = await callerFor(server.url, 'admin')
  await signIn(page, 'admin')
  for (const one of listed.filter(({ job }) => !ofVendors.has(job))) {
    const { waits } = await jobs[one.job]!({ page, server, admin })
    await backToDevices(page)
    await doJob(page, one, waits)
  }
})

for (const one of listed.filter(({ job }) => ofVendors.has(job)))
  test(one.job, async ({ page, server }) => {
    test.slow()
    const admin = await callerFor(server.url, 'admin')
    const { login = '', waits } = await jobs[one.job]!({ page, server, admin })
    await signIn(page, login, password)
    await loaded(page)
    await doJob(page, one, waits)
  })
