/** The everyday jobs of docs/keys.md, done by the keys and with the number of presses that its table states. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/programs.ts'
import { callerFor, idOf } from '../support/api.ts'
import { eventForm, field } from '../support/calendars.ts'
import { drawn } from '../support/charted.ts'
import { grid, loaded, searchField } from '../support/devices.ts'
import { connect, devicesOf, newCompany, newModel, savedFile, seen, type World } from '../support/everydayWorld.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { password, teller } from '../support/notices.ts'

interface Listed {
  readonly job: string
  /** Each is one press, or a text that is typed. */
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

const named: Readonly<Record<string, string>> = { '↵': 'Enter' }
const isPress = (key: string) => key.length === 1 || /^(mod|Shift)\+/.test(key)
/** A press counts one, and so does a chord and each character that is typed. */
const pressesOf = (keys: readonly string[]) => keys.reduce((sum, key) => sum + (isPress(key) ? 1 : key.length), 0)

/** What is waited for after each of the keys, in their order; where nothing is, the next may follow at once. */
type Waits = readonly ((() => Promise<unknown>) | undefined)[]
type Job = (world: World) => Promise<{ login?: string; password?: string; waits: Waits }>

const jobs: Readonly<Record<string, Job>> = {
  async 'Flush every device in Leak of one vendor'(world) {
    const { page, admin } = world
    await newModel(admin, 'Yacht', await newCompany(admin, 'of-aquila', 'Aquila'))
    const [first, second] = await devicesOf(admin, 'E0:01', 3, { vendor: 'of-aquila', model: 'Yacht' })
    await connect(world, first!, 4)
    await connect(world, second!, 4)
    const { asked, found, selected, some, shown, said } = seen(page)
    const waits = [
      undefined,
      asked('Status'),
      found('Leak'),
      asked('How'),
      some,
      undefined,
      asked('Vendor'),
      found('Aquila'),
      asked('How'),
      found('Keep only these'),
      selected(2),
      shown('Flush: 2 devices'),
      said('Flushing 2 of 2 devices'),
    ]
    return { waits }
  },
  async 'Set the flush of 200 devices of one model, and retry those that were offline'(world) {
    const { page, admin } = world
    await newModel(admin, 'Villa', await idOf(admin, '/api/v3/vendors', 'login', 'vendor'))
    const [first, second, late] = await devicesOf(admin, 'E0:02', 200, { model: 'Villa' })
    await connect(world, first!)
    await connect(world, second!)
    const { asked, found, selected, palette: opened, shown, said } = seen(page)
    const waits = [
      undefined,
      asked('Model'),
      found('Villa'),
      asked('How'),
      selected(200),
      opened,
      found('Duration, s: 18'),
      shown('Auto-flush: 200 devices'),
      async () => {
        await said('Settings updated for 2 out of 200 devices')()
        await connect(world, late!)
      },
      shown('Auto-flush: 198 devices'),
      said('Settings updated for 1 out of 198 devices'),
    ]
    return { waits }
  },
  async 'Find the device that sent the newest notification, chart its month, export it'({ page, server }) {
    const { login, bssid, tell } = await teller(server)
    await tell('pump_failure')
    const { screen, asked } = seen(page)
    const saved = savedFile(page)
    const waits = [
      undefined,
      screen('Notifications'),
      () => expect(page.getByRole('article').first()).toBeFocused(),
      async () => {
        await expect(page.getByRole('button', { name: `Lines of ${bssid}` })).toBeVisible()
        await drawn(page, 'Pressure')
      },
      () => drawn(page, 'Pressure'),
      asked('File'),
      async () => expect(await saved).toMatch(/\.xls/),
    ]
    return { login, password, waits }
  },
  async 'Answer the newest leak: close the valve of that device'({ page, server }) {
    const { login, tell, device } = await teller(server)
    await tell('leak')
    const { screen, shown } = seen(page)
    const waits = [
      undefined,
      screen('Notifications'),
      () => expect(page.getByRole('article').first()).toBeFocused(),
      shown(/valve/i),
      () => expect.poll(() => device.told.at(-1)).toMatchObject({ type: 'valve' }),
    ]
    return { login, password, waits }
  },
  async 'Share a device, found by its description'({ page, admin }) {
    await devicesOf(admin, 'E0:05', 1, { description: 'Harbour café' })
    const { palette: opened, found, selected } = seen(page)
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
    const { selected, shown, said, focused } = seen(page)
    const waits = [
      () => expect(searchField(page)).toBeFocused(),
      () => expect(grid(page)).toHaveAttribute('aria-rowcount', '2'),
      focused('E0:06:00:00:00:00'),
      selected(2),
      shown('Lock: 2 devices'),
      said('Locked 2 of 2 devices'),
      shown('Undo “Lock”: 2 devices'),
      said('Undid “Lock” for 2 of 2 devices'),
    ]
    return { waits }
  },
  async 'Save all devices in one status as CSV'(world) {
    const { page, admin } = world
    const [one] = await devicesOf(admin, 'E0:07', 1)
    await connect(world, one!, 7)
    const { asked, found, some, palette: opened } = seen(page)
    const saved = savedFile(page)
    const waits = [
      undefined,
      asked('Status'),
      found('Calibration'),
      asked('How'),
      some,
      opened,
      found('Export the selected devices'),
      asked('Columns'),
      async () => expect(await saved).toMatch(/\.csv$/),
    ]
    return { waits }
  },
  async 'Plan a filter change for the first two devices'({ page }) {
    const { screen, said, selected } = seen(page)
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
        await said('Filter change')()
        await expect(eventForm(page).getByRole('alert')).toHaveCount(0)
      },
    ]
    return { waits }
  },
  async 'Block a vendor’s account'({ page, admin }) {
    await newCompany(admin, 'of-borealis', 'Borealis')
    const { palette: opened, found, screen, said } = seen(page)
    const waits = [
      opened,
      found('Borealis'),
      async () => {
        await screen('Vendors')()
        await expect(page.getByRole('grid').getByRole('row', { selected: true })).toHaveCount(1)
      },
      said('Blocked'),
    ]
    return { waits }
  },
  async 'Give a device an idle protection, and the next one the same'(world) {
    const { page, admin } = world
    for (const credential of await devicesOf(admin, 'E0:10', 2)) await connect(world, credential)
    const { asked, found, said, focused } = seen(page)
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
      asked('Duration, min'),
      found('90'),
      async () => {
        await said('Settings updated for 1 out of 1 devices')()
        await protection(0)()
      },
      focused('E0:10:00:00:00:01'),
      protection(1),
    ]
    return { waits }
  },
}

test('the page lists ten, each with its count of presses', () => {
  expect(listed.map(({ job }) => job)).toEqual(Object.keys(jobs))
  for (const { job, keys, presses } of listed) expect(pressesOf(keys), job).toBe(presses)
})

for (const { job, keys } of listed)
  test(job, async ({ page, server }) => {
    test.slow()
    const admin = await callerFor(server.url, 'admin')
    const { login = 'admin', password: secret, waits } = await jobs[job]!({ page, server, admin })
    await signIn(page, login, ...(secret === undefined ? [] : [secret]))
    await loaded(page)
    expect(waits).toHaveLength(keys.length)
    for (const [place, key] of keys.entries())
      await test.step(key, async () => {
        if (isPress(key)) await page.keyboard.press(named[key] ?? key.replace('mod', 'Control').replace('↵', 'Enter'))
        else await page.keyboard.type(key)
        await waits[place]?.()
      })
  })
