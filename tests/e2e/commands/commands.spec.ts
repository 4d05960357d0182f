/** Commands for many devices with the keyboard, and settings page by page in the palette. */
import type { Page, Request } from '@playwright/test'
import type { JobPreview } from '../../../src/api/contract/jobs.ts'
import { callerFor } from '../support/api.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import {
  confirm,
  countCalls,
  focusDevice,
  loaded,
  messages,
  openPalette,
  palette,
  panel,
  preview,
  selectedCount,
  selectedRows,
  statusBar,
  clearList,
} from '../support/devices.ts'
import { backToDevices } from '../support/lists.ts'

/** An offline demo device. */
const offlineDevice = '30:AE:A4:09:0B:21'

/** An online demo device that executes commands, which no other file uses. */
const readyDevice = '30:AE:A4:20:EC:3B'

const argument = (page: Page, name: string) => palette(page).getByRole('combobox', { name, exact: true })

/** Waits for the end of the job that a request creates, and returns its failures. */
async function endOfJob(page: Page, request: Request) {
  const admin = await callerFor(new URL(page.url()).origin, 'admin')
  const { data } = (await (await request.response())!.json()) as { data: { _id: string } }
  let job: { state: string } | undefined
  await expect
    .poll(async () => {
      job = (await admin.call('GET', `/api/v3/jobs/${data._id}`)) as { state: string }
      return job.state
    })
    .toBe('ended')
  const path = `/api/v3/jobs/${data._id}/tasks?column=state&operator=ne&search=done&limit=1000`
  const tasks = (await admin.call('GET', path)) as { data: { bssid: string; reason: string }[] }
  return tasks.data.map(({ bssid, reason }) => ({ id: bssid, message: reason }))
}

test.beforeEach(async ({ page }) => {
  await signIn(page, 'admin')
  await loaded(page)
})

test('a command for many devices reports how many accepted it, the others stay selected, and only those are retried', async ({
  page,
}) => {
  test.slow()
  await test.step('flushing forty devices lists the failures with reasons and retries only those', async () => {
    await page.keyboard.press('Control+a')
    await selectedCount(page, 20)
    await page.keyboard.press(']')
    await expect(statusBar(page)).toContainText('page 2 of')
    await loaded(page)
    await page.keyboard.press('Control+a')
    await selectedCount(page, 40)

    const first = page.waitForRequest('**/api/v3/jobs')
    await page.keyboard.press('f')
    await confirm(page, 'Flush: 40 devices')
    const sent = ((await first).postDataJSON() as { ids: string[] }).ids
    expect(new Set(sent).size).toBe(sent.length)
    expect(sent).toHaveLength(40)
    const failed = await endOfJob(page, await first)
    const failing = failed.length
    const count = 40 - failing
    expect(failing).toBeGreaterThan(2)

    await expect(messages(page)).toContainText(`Flushing ${count} of 40 devices`)
    // The message stays while the pointer is over it.
    await messages(page).getByRole('button', { name: 'View failures' }).hover()
    await selectedCount(page, failing)
    await messages(page).getByRole('button', { name: 'View failures' }).click()
    const failures = page.getByRole('dialog', { name: `Flushing ${count} of 40 devices` })
    await expect(failures.getByRole('listitem')).toHaveCount(failing)
    for (const { id, message } of failed)
      await expect(failures.getByRole('listitem').filter({ hasText: id })).toContainText(message)
    await expect(failures.getByRole('listitem').filter({ hasText: offlineDevice })).toContainText(/offline/i)
    await page.keyboard.press('Escape')
    await expect(failures).toBeHidden()

    // The retry has a preview too, which skips the devices that are still offline.
    const second = page.waitForResponse('**/api/v3/jobs/*/retry?preview=true')
    await page.keyboard.press('r')
    const { data } = (await (await second).json()) as { data: JobPreview }
    expect(data.total).toBe(failing)
    const skipped = data.reasons.flatMap(({ devices }) => devices)
    expect(skipped).toContain(offlineDevice)
    expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining(skipped))
    await expect(preview(page, `Retry “Flush”: ${failing} devices`)).toContainText('Skipped: Device is offline')
  })
  await backToDevices(page)
  await test.step('a setting for many devices reports how many accepted it, and the others stay selected', async () => {
    await page.keyboard.press('Control+a')
    await selectedCount(page, 20)
    await page.keyboard.press('s')
    await page.keyboard.press('u')
    await expect(argument(page, 'UV mode')).toBeFocused()
    await page.keyboard.type('on')
    const request = page.waitForRequest('**/api/v3/jobs')
    await page.keyboard.press('Enter')
    await confirm(page, 'UV module: 20 devices')
    const sent = await request
    expect(sent.postDataJSON()).toMatchObject({ command: 'set_uv', input: { mode: 1 } })
    const failing = (await endOfJob(page, sent)).length
    expect(failing).toBeGreaterThan(0)
    expect(failing).toBeLessThan(20)
    await expect(messages(page)).toContainText(`Settings updated for ${20 - failing} out of 20 devices`)
    await selectedCount(page, failing)
    await expect(selectedRows(page)).toHaveCount(failing)
  })
})

test('an unavailable command shows its reason, and settings are entered page by page', async ({ page }) => {
  test.slow()
  await test.step('an unavailable command shows the reason in the palette and in the panel', async () => {
    const calls = countCalls(page, 'POST', /flush$/)
    await openPalette(page)
    // The palette hides it until it is searched for, and then shows the reason.
    await expect(palette(page).getByRole('option', { name: /^Flush/ })).toHaveCount(0)
    await page.keyboard.type('>flush')
    const option = palette(page).getByRole('option', { name: /^Flush At least one device must be selected/ })
    await expect(option).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Enter')
    // A click on the option must do nothing either: aria-disabled does not block it.
    await option.dispatchEvent('click')
    await expect(palette(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await panel(page).getByRole('tab', { name: 'Control' }).click()
    const button = panel(page).getByRole('button', { name: /^Flush/ })
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(panel(page).getByText('At least one device must be selected').first()).toBeVisible()
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText('At least one device must be selected')
    // A command for one device reports that several are selected.
    await page.keyboard.press('Control+a')
    await selectedCount(page, 20)
    await page.keyboard.press('h')
    await expect(messages(page)).toContainText('Select only one device')
    expect(calls).toEqual([])
  })
  await clearList(page)
  await test.step('settings are entered page by page: typing filters, Backspace and Esc return to the typed text', async () => {
    await focusDevice(page, readyDevice)
    const calls = countCalls(page, 'PUT', /settings\/flush$/)
    await openPalette(page)
    await page.keyboard.type('smart fl')
    await expect(palette(page).getByRole('option', { name: /^Auto-flush/ })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')

    await expect(argument(page, 'Smart flush')).toBeFocused()
    await expect(palette(page).getByRole('option')).toHaveText([
      'Keep as it is',
      'Save water',
      'Balanced',
      'Save membrane',
      'Disabled',
    ])
    await page.keyboard.type('save')
    await expect(palette(page).getByRole('option')).toHaveText(['Save water', 'Save membrane'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(argument(page, 'Mode')).toBeFocused()
    await expect(palette(page)).toContainText('Smart flush: Save membrane')

    // Back on the page, its text is restored and selected, so that typing replaces it.
    await page.keyboard.press('Backspace')
    await expect(argument(page, 'Smart flush')).toHaveValue('save')
    await page.keyboard.type('bal')
    await expect(argument(page, 'Smart flush')).toHaveValue('bal')
    await page.keyboard.press('Enter')
    await expect(argument(page, 'Mode')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(argument(page, 'Smart flush')).toHaveValue('bal')
    await page.keyboard.press('Escape')
    await expect(palette(page).getByRole('combobox')).toHaveValue('smart fl')
    expect(calls).toEqual([])

    await page.keyboard.press('Enter')
    await page.keyboard.type('bal')
    await page.keyboard.press('Enter')
    await expect(argument(page, 'Mode')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(argument(page, 'Flush every')).toBeFocused()
    await page.keyboard.type('20')
    await page.keyboard.press('Enter')
    await expect(argument(page, 'Duration (s)')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(argument(page, 'Volume')).toBeFocused()
    await page.keyboard.type('500')
    await page.keyboard.press('Enter')
    await expect(palette(page).getByRole('alert')).toHaveText('Volume must be less than or equal to 100')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('2.5')
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText('Settings updated for 1 out of 1 devices')
    expect(calls).toEqual([{ body: { ids: [readyDevice], smart: 'balanced', frequency: 20, volume: 2.5 } }])
  })
})
