/** Changes of what the server stores about devices are jobs of the server: they end without the page that started them. */
import { callerFor, idOf, newModel, newModelWithDevices } from '../support/api.ts'
import {
  confirm,
  countCalls,
  loaded,
  messages,
  newBssids,
  openPalette,
  palette,
  preview,
  row,
  searchFor,
  selectedCount,
} from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { goToJobs, job } from '../support/jobs.ts'
import { answer, select } from '../support/lists.ts'
import type { Device } from '../../../src/api/contract/devices.ts'
import type { List } from '../../../src/api/contract/endpoint.ts'
import type { Job } from '../../../src/api/contract/jobs.ts'

test('a change of many devices is whole although its tab is closed, and another tab undoes it', async ({
  page,
  context,
  server,
}) => {
  test.slow()
  const count = 60
  const admin = await callerFor(server.url, 'admin')
  const model = await newModel(admin, [await idOf(admin, '/api/v3/vendors', 'login', 'vendor')])
  const lines = newBssids(count).map(bssid => `${bssid},esp32,${model},vendor,Made for a test`)
  await admin.upload('/api/v3/devices/file', ['bssid,platform,model,vendor,description', ...lines].join('\n'))
  /** Returns the number of devices in each time zone. */
  const zones = async () => {
    const counts: Record<string, number> = {}
    const query = new URLSearchParams({ column: 'model', search: model, limit: '1000' })
    const { data } = (await admin.call('GET', `/api/v3/devices?${query}`)) as List<Device>
    for (const { time_zone } of data) counts[time_zone ?? 'none'] = (counts[time_zone ?? 'none'] ?? 0) + 1
    return counts
  }

  await signIn(page, 'admin')
  await loaded(page)
  await page.getByRole('combobox', { name: 'Search column' }).selectOption('Model')
  await searchFor(page, model, count)
  await page.keyboard.press('Control+Shift+A')
  await page.keyboard.press('s')
  await page.keyboard.press('z')
  await answer(page, 'Time zone', 'Europe/Oslo')
  const dialog = preview(page, 'Change time zone: 60 devices')
  const chips = dialog.getByRole('group', { name: 'Policy' }).getByRole('button')
  await expect(chips).toContainText([/^Start/, /^Repeat/, /^Waves/, /^Rate/, /^Window/, /^New matches/, /^Type/])
  await expect(chips).toHaveCount(7)
  await page.keyboard.press('p')
  const text = dialog.getByRole('textbox', { name: 'Policy as text' })
  await text.fill('rate 600 wait 7d')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('Nothing is sent to the devices')
  // Slow enough for the tab to be closed in the middle.
  await text.fill('rate 600')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status')).toContainText('60 will change')
  const created = page.waitForResponse(
    response => response.request().method() === 'POST' && response.url().endsWith('/api/v3/jobs'),
  )
  await confirm(page, 'Change time zone: 60 devices')
  const { _id } = ((await (await created).json()) as { data: { _id: string } }).data
  const state = async () => (await admin.call('GET', `/api/v3/jobs/${_id}`)) as Job
  await expect.poll(async () => (await state()).done).toBeGreaterThan(0)
  await page.close()
  expect((await state()).done).toBeLessThan(count)
  await expect.poll(async () => (await state()).state, { timeout: 90_000 }).toBe('ended')
  expect(await state()).toMatchObject({ done: count, total: count })
  expect(await zones()).toEqual({ 'Europe/Oslo': count })

  const other = await context.newPage()
  await other.goto(server.url)
  await loaded(other)
  await goToJobs(other)
  await other.keyboard.press('j')
  await expect(job(other, 'Change time zone 60 devices')).toContainText('60 done')
  await other.keyboard.press('z')
  await confirm(other, 'Undo “Change time zone”: 60 devices')
  await expect(messages(other)).toContainText('Undid “Change time zone” for 60 of 60 devices', {
    timeout: 90_000,
  })
  expect(await zones()).toEqual({ none: count })
})

test('several devices are deleted by a job, which outlives them', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const { ids } = await newModelWithDevices(admin, 3)
  await signIn(page, 'admin')
  await loaded(page)
  await select(page, ...ids)

  await openPalette(page)
  await page.keyboard.type('>delete retries 2')
  await expect(page.getByRole('option', { name: /^Delete/ }).first()).toContainText('Nothing is sent to the devices')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)

  const calls = countCalls(page, 'DELETE', /\/devices$/)
  const jobs = countCalls(page, 'POST', /\/jobs$/)
  await page.keyboard.press('Delete')
  await expect(preview(page, 'Delete 3 devices?').getByRole('status')).toContainText('3 will be deleted')
  await page.keyboard.type('DELETE')
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText('Deleted 3 of 3 devices')
  await selectedCount(page, 0)
  for (const bssid of ids) await expect(row(page, bssid)).toHaveCount(0)
  expect(calls).toEqual([])
  expect(jobs).toHaveLength(1)
  expect(jobs[0]!.body).toMatchObject({ command: 'delete', input: {}, policy: {} })

  await goToJobs(page)
  await page.keyboard.press('j')
  await expect(job(page, 'Delete 3 devices')).toContainText('3 done')
  // The last target is done shortly before the job has ended.
  await expect(job(page, 'Delete 3 devices')).toContainText('Done')
  await page.keyboard.press('z')
  await expect(messages(page)).toContainText('The job can’t be undone')
  await page.keyboard.press('Shift+X')
  await expect(messages(page)).toContainText('All targets are done')
})
