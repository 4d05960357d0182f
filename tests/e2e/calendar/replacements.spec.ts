/** Replacements: suggested in the calendar, and planned for devices with preview and undo. */
import type { Page } from '@playwright/test'
import type { Event } from '../../../src/api/contract/events.ts'
import { callerFor, newDevices, unique, type Caller } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { dayCell, drawnEvent, eventForm, field, goToDay, calendarShown, settled } from '../support/calendars.ts'
import { confirm, loaded, messages, panel, preview } from '../support/devices.ts'
import { expect, signIn, signInAt, test, visit } from '../support/fixtures.ts'
import { newFindings } from '../support/findings.ts'
import { backToDevices, go, select } from '../support/lists.ts'
import { newDueDevices } from '../support/plan.ts'

test.use({ timezoneId: 'Europe/Berlin' })

const msPerDay = 86_400_000
const suggestion = (page: Page, supply: string) =>
  page.locator('main').getByRole('button', { name: new RegExp(`Suggestion:? ${supply}`) })
/** The events of devices that begin within 200 days. */
async function eventsOf(caller: Caller, ids: readonly string[]): Promise<readonly Event[]> {
  const [from, to] = [0, 200].map(days => new Date(Date.now() + days * msPerDay).toISOString())
  return (await caller.call('GET', `/api/v3/events?from=${from}&to=${to}&devices=${ids.join(',')}`)) as Event[]
}

test('with the keyboard alone, suggestions are taken, hidden and shown, and replacements are planned for devices, findings and an entry of the overview', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'vendor')
  await loaded(page)
  await test.step('replacements are planned for devices by supply and week, and undone', async () => {
    const vendor = await callerFor(server.url, 'vendor')
    const [harbour, hill] = [unique('Harbour'), unique('Hill')]
    // A Wednesday three to four weeks ahead, at noon UTC.
    const wednesday = Math.ceil((Date.now() / msPerDay + 21 - 6) / 7) * 7 * msPerDay + 6.5 * msPerDay
    const [first = '', second = ''] = await newDueDevices(server, harbour, [
      new Date(wednesday),
      new Date(wednesday + msPerDay),
    ])
    const [third = ''] = await newDueDevices(server, hill, [new Date(wednesday)])
    const [unknown = ''] = await newDevices(await callerFor(server.url, 'admin'), 1)
    const ids = [first, second, third, unknown]
    await select(page, ...ids)
    await page.keyboard.press('s')
    await page.keyboard.press('r')
    const dialog = preview(page, 'Plan replacement: 4 devices')
    await expect(dialog).toContainText('3 will be visited')
    await expect(dialog).toContainText('1 × No forecast yet')
    await expect(dialog.getByRole('listitem').filter({ hasText: harbour })).toHaveText(
      /^Week \d+\s*Wed, .*, 09:00.*2 devices$/,
    )
    await expect(dialog.getByRole('listitem').filter({ hasText: hill })).toHaveText(/1 device$/)
    await expect(dialog).toContainText('Undo with z')
    await check(page, 'preview of replacements', '[role=alertdialog]')
    expect(await eventsOf(vendor, ids)).toEqual([])
    await confirm(page, 'Plan replacement: 4 devices')
    await expect(messages(page)).toContainText('Planned the replacement for 3 of 4 devices')
    const events = await eventsOf(vendor, ids)
    expect(events.map(({ devices }) => devices.toSorted().join(' ')).toSorted()).toEqual(
      [[first, second].toSorted().join(' '), third].toSorted(),
    )
    for (const { start } of events) expect(Date.parse(start)).toBeLessThan(wednesday)

    await page.keyboard.press('z')
    await confirm(page, 'Undo “Plan replacement”: 3 devices')
    await expect(messages(page)).toContainText('Undid “Plan replacement” for 3 of 3 devices')
    expect(await eventsOf(vendor, ids)).toEqual([])
    await page.keyboard.press('Shift+Z')
    await confirm(page, 'Redo “Plan replacement”: 3 devices')
    await expect(messages(page)).toContainText('Redid “Plan replacement” for 3 of 3 devices')
    const textOf = ({ start, title }: Event) => `${start} ${title}`
    expect((await eventsOf(vendor, ids)).map(textOf).toSorted()).toEqual(events.map(textOf).toSorted())
  })
  await backToDevices(page)
  await test.step('replacements are planned for the devices of findings and of an entry of the overview', async () => {
    const [first = '', second = ''] = await newFindings(server, 2)
    await go(page, 'findings')
    await select(page, first, second)
    await page.keyboard.press('s')
    await page.keyboard.press('r')
    await expect(preview(page, 'Plan replacement: 2 devices')).toContainText('2 × No forecast yet')
    await page.keyboard.press('Escape')
    await expect(preview(page, 'Plan replacement: 2 devices')).toBeHidden()

    await page.keyboard.press('g')
    await page.keyboard.press('o')
    const due = page.getByRole('button', { name: /Due in 30 days/ })
    await expect(due).toBeVisible()
    for (let step = 0; step < 5; step++) await page.keyboard.press('j')
    await expect(due).toBeFocused()
    await page.keyboard.press('s')
    await page.keyboard.press('r')
    await expect(page.getByRole('alertdialog', { name: /^Plan replacement: \d+ devices?$/ })).toBeVisible()
  })
  await backToDevices(page)
  await test.step('a suggestion is taken, and suggestions are hidden and shown', async () => {
    const [taken, other] = [unique('Harbour'), unique('Hill')]
    const noon = (day: string) => new Date(`2032-06-${day}T12:00Z`)
    const ids = await newDueDevices(server, taken, [noon('09'), noon('10'), noon('11')])
    await newDueDevices(server, other, [noon('23')])
    await visit(page, '/calendar?view=month')
    await calendarShown(page)
    await goToDay(page, '2032-06-09')
    await expect(suggestion(page, taken)).toHaveAccessibleName(
      new RegExp(`^Suggestion: ${taken}, .*: 3 cartridges, 09:00 – 10:30, 3 devices$`),
    )
    await expect(page.getByRole('status').filter({ hasText: 'June 2032' })).toContainText('0 events · 2 suggestions')
    await check(page, 'suggestions', 'main')
    const cell = dayCell(page, 'Wednesday, June 9, 2032')
    await page.keyboard.press('Escape')
    await expect(cell).toBeFocused()
    await expect(cell).toHaveAccessibleName(/, 1 suggestion/)

    await page.keyboard.press('Enter')
    await expect(field(page, 'Title')).toBeFocused()
    await expect(field(page, 'Title')).toHaveValue(new RegExp(`^${taken}, .*: 3 cartridges$`))
    await expect(field(page, 'Description')).toHaveValue(/^3 × /)
    await expect(field(page, 'Start')).toHaveValue('2032-06-09T09:00')
    await expect(field(page, 'End')).toHaveValue('2032-06-09T10:30')
    for (const id of ids) await expect(eventForm(page).getByRole('button', { name: `Remove ${id}` })).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(messages(page)).toContainText(/Created .*: 3 cartridges/)
    await expect(drawnEvent(page, `${taken}, .*: 3 cartridges`)).toBeVisible()
    await expect(suggestion(page, taken)).toHaveCount(0)

    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+S')
    await expect(suggestion(page, other)).toHaveCount(0)
    await page.reload()
    await settled(page)
    await goToDay(page, '2032-06-23')
    await expect(page.getByRole('status').filter({ hasText: 'June 2032' })).toContainText(/^June 2032\s*1 event$/)
    await page.keyboard.press('Shift+S')
    for (const view of ['w', 'd', 'a']) {
      await page.keyboard.press(view)
      await expect(suggestion(page, other)).toBeVisible()
    }
    // In the agenda, too, a suggestion is reached by keys.
    await suggestion(page, other).focus()
    await page.keyboard.press('Enter')
    await expect(field(page, 'Title')).toHaveValue(new RegExp(`^${other}, `))
  })
})

test('with the mouse, a device is planned on its screen, then has an event; on a phone, a suggestion is taken', async ({
  page,
  server,
}) => {
  test.slow()
  const vendor = await callerFor(server.url, 'vendor')
  const supply = unique('Quay')
  const [id = ''] = await newDueDevices(server, supply, [new Date(Date.now() + 25 * msPerDay)])
  await signInAt(page, 'vendor', `/devices/${id}`)
  const button = page.locator('main').getByRole('button', { name: 'Plan replacement' })
  await button.click()
  const dialog = preview(page, 'Plan replacement: 1 device')
  await expect(dialog).toContainText('1 will be visited')
  await dialog.getByRole('button', { name: /^Plan replacement/ }).click()
  await expect(messages(page)).toContainText('Planned the replacement for 1 of 1 device')
  expect(await eventsOf(vendor, [id])).toHaveLength(1)
  await button.click()
  await expect(dialog).toContainText('1 × Has an event already')
  await dialog.getByRole('button', { name: /^Cancel/ }).click()

  await newDueDevices(server, `${supply}-2`, [new Date('2031-11-12T12:00Z')])
  await page.setViewportSize({ width: 390, height: 844 })
  await visit(page, '/calendar')
  await calendarShown(page)
  await goToDay(page, '2031-11-10')
  await suggestion(page, `${supply}-2`).click()
  await expect(field(page, 'Start')).toHaveValue('2031-11-12T09:00')
  await eventForm(page).getByRole('button', { name: 'Create' }).click()
  await expect(messages(page)).toContainText(/Created .*: 1 cartridge/)
  await expect(panel(page)).toHaveCount(0)
  await expect(
    page.locator('main').getByRole('button', { name: new RegExp(`${supply}-2.*: 1 cartridge`) }),
  ).toHaveCount(1)
  await expect(suggestion(page, `${supply}-2`)).toHaveCount(0)
})
