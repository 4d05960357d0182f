/** Findings: their list with its commands, the overview, selecting by health, and findings among notifications. */
import type { Page } from '@playwright/test'
import type { Finding } from '../../src/api/contract/findings.ts'
import { callerFor, unique, type Caller } from './support/api.ts'
import { check } from './support/axe.ts'
import { clearList, confirm, loaded, messages, searchFor, selectedCount } from './support/devices.ts'
import { newFindings } from './support/findings.ts'
import { expect, signIn, test } from './support/fixtures.ts'
import { answer, backToDevices, expectMessage, find, panel, palette, select, signInAtList } from './support/lists.ts'

const findingOf = async (caller: Caller, bssid: string) => {
  const path = `/api/v3/health/findings?column=bssid&operator=eq&search=${bssid}`
  const { data } = (await caller.call('GET', path)) as { data: Finding[] }
  return data[0]!
}
const confirmPreview = (page: Page) => confirm(page, /: 2 findings$/)

test('findings are explained, shelved, confirmed, dismissed and undone by keys, follow other sessions, and lead to their devices', async ({
  page,
  server,
}) => {
  test.slow()
  const vendor = await callerFor(server.url, 'vendor')
  await signInAtList(page, 'vendor', 'findings')
  await test.step('what another session says of a finding is shown at once', async () => {
    const [bssid = ''] = await newFindings(server, 1)
    await find(page, bssid, 1)
    const state = panel(page).locator('dt:text-is("State") + dd')
    await expect(state).toHaveText('Open')
    const { _id } = await findingOf(vendor, bssid)
    await vendor.call('PUT', '/api/v3/health/findings/verdict', { ids: [_id], verdict: 'none' })
    await expect(state).toHaveText('Dismissed')
  })
  await clearList(page)
  await test.step('they are explained, shelved, confirmed, dismissed and undone by keys', async () => {
    const [first = '', second = ''] = await newFindings(server, 2)
    const expectBoth = async (expected: Partial<Finding>) => {
      for (const bssid of [first, second]) await expect.poll(() => findingOf(vendor, bssid)).toMatchObject(expected)
    }
    await test.step('the panel says what has changed, what it is likely to be and what to do', async () => {
      await find(page, first, 1)
      await expect(panel(page)).toContainText(/Restrictor −\d+ % in \d+ days.*clogged flow restrictor, \d+ %/)
      await expect(panel(page).getByRole('heading', { name: 'What to do' })).toBeVisible()
      await expect(panel(page).getByRole('table')).toContainText('Restrictor')
      await check(page, 'a finding')
      await page.keyboard.press('Escape')
    })

    await select(page, first, second)
    await page.keyboard.press('h')
    await answer(page, 'For', '7 days')
    // Without a reason.
    await page.keyboard.press('Enter')
    await confirmPreview(page)
    await expectMessage(page, 'Shelved 2 of 2 findings')
    await expectBoth({ state: 'shelved' })
    await page.keyboard.press('z')
    await confirmPreview(page)
    await expectMessage(page, 'Undid “Shelve” for 2 of 2 findings')
    await expectBoth({ state: 'open', shelved_until: null })

    await page.keyboard.press('c')
    await confirmPreview(page)
    await expectMessage(page, 'Confirmed 2 of 2 findings')
    await expectBoth({ verdict: 'restrictor_clogged', state: 'open' })
    // The next command says the same when it has ended.
    await expect(messages(page)).not.toContainText('Confirmed')
    await page.keyboard.press('b')
    await answer(page, 'Cause', 'Scaling')
    await confirmPreview(page)
    await expectMessage(page, 'Confirmed 2 of 2 findings')
    await expectBoth({ verdict: 'scaling' })
    await page.keyboard.press('z')
    await confirmPreview(page)
    await expectMessage(page, 'Undid “Confirm another cause” for 2 of 2 findings')
    await expectBoth({ verdict: 'restrictor_clogged' })
    await page.keyboard.press('d')
    await confirmPreview(page)
    await expectMessage(page, 'Dismissed 2 of 2 findings')
    await expectBoth({ verdict: 'none', state: 'dismissed' })
    await page.keyboard.press('u')
    await confirmPreview(page)
    await expectMessage(page, 'Removed the verdict on 2 of 2 findings')
    await expectBoth({ verdict: null, state: 'open' })

    await page.keyboard.press('Escape')
    await find(page, second, 1)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: second })).toBeAttached()
  })
})

test('devices are selected by their health, also from the overview, and sure findings are among the notifications, those of one cause as one line', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'vendor')
  await loaded(page)
  await test.step('by two keys and a word, and by the counts in the pictures of the overview', async () => {
    const ids = await newFindings(server, 2, 'fouling')
    await test.step('devices that need cleaning are selected by two keys and a word', async () => {
      await page.keyboard.press('a')
      await page.keyboard.press('h')
      await answer(page, 'Health', 'Needs cleaning')
      await page.keyboard.press('Enter')
      await expect(palette(page)).toBeHidden()
      await expectMessage(page, /Selected \d+ devices/)
      await searchFor(page, ids[0]!, 1)
      await expect(page.getByRole('grid').getByRole('row', { selected: true })).toHaveCount(1)
    })
    await clearList(page)
    await test.step('the overview counts devices in pictures, and each count selects its devices', async () => {
      await page.keyboard.press('g')
      await page.keyboard.press('o')
      const entry = page.getByRole('button', { name: /^Fouling: \d+, / })
      await expect(entry).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Vendors' })).toHaveCount(0)
      await check(page, 'the overview')
      const isFocused = () => entry.evaluate(element => element === document.activeElement)
      for (let presses = 0; presses < 30 && !(await isFocused()); presses++) await page.keyboard.press('j')
      await expect(entry).toBeFocused()
      const count = Number(/: (\d+)/.exec((await entry.getAttribute('aria-label')) ?? '')![1])
      expect(count).toBeGreaterThanOrEqual(ids.length)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/devices\?.*search=Fouling.*column=health_cause/)
      await selectedCount(page, count)
      await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(count))
    })
  })
  await backToDevices(page)
  await test.step('findings of one cause on one supply are one line among the notifications', async () => {
    const admin = await callerFor(server.url, 'admin')
    const ids = await newFindings(server, 5)
    const water_supply = unique('Supply')
    await admin.call('PUT', '/api/v3/devices/water-supply', { ids, water_supply })
    // Older notifications are loaded page by page, so only those of these devices are shown.
    await page.goto(`/devices?search=${water_supply}&column=water_supply&operator=eq`)
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '5')
    await page.keyboard.press('ControlOrMeta+a')
    await selectedCount(page, 5)
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await page.getByRole('button', { name: /^Only notifications of/ }).click()
    const line = page.getByRole('article').filter({ hasText: water_supply })
    await expect(line).toContainText(`Clogged flow restrictor: 5 of 5 devices on ${water_supply}`)
    await expect(page.getByRole('article').filter({ hasText: ids[0]! })).toHaveCount(0)
    await page.keyboard.press('j')
    await expect(line).toBeFocused()

    // Enter shows the findings under it, and hides them again.
    await page.keyboard.press('Enter')
    for (const id of ids) await expect(page.getByRole('article').filter({ hasText: id })).toBeVisible()
    await check(page, 'an open group of findings')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article').filter({ hasText: ids[0]! })).toHaveCount(0)

    // One key selects their devices, and so does the button.
    await page.keyboard.press('Shift+A')
    await expectMessage(page, /^All 5 devices were already selected|^Selected 5 devices/)
    await line.getByRole('button', { name: 'Select 5 devices' }).click()
    await selectedCount(page, 5)
  })
  await backToDevices(page)
  await test.step('sure findings that need work are among the notifications, unless they are switched off', async () => {
    const [bssid = ''] = await newFindings(server, 1)
    await searchFor(page, bssid, 1)
    await page.keyboard.press('x')
    await selectedCount(page, 1)
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    const line = page.getByRole('article').filter({ hasText: bssid })
    // Still on from the step before. Among all devices, the finding may be in the line of a group.
    await expect(page.getByRole('button', { name: /^Only notifications of/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(line).toContainText(/Restrictor −\d+ % in \d+ days.*clogged flow restrictor/)
    await check(page, 'findings among notifications')
    await page.keyboard.press('j')
    await expect(line).toBeFocused()
    await page.keyboard.press('f')
    await expect(line).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Findings' })).toHaveAttribute('aria-pressed', 'false')
    await expect(line).toHaveCount(0)
    await page.keyboard.press('f')
    await expect(line).toBeVisible()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: bssid })).toBeAttached()
  })
})
