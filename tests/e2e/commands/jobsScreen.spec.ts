/** Jobs of the server: seen by everyone who may see them, and controlled by keys alone and by the mouse alone. */
import type { Page } from '@playwright/test'
import { callerFor, newCredential, online } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { answer, messages } from '../support/lists.ts'
import { loaded } from '../support/devices.ts'
import { expect, signIn, test, visit } from '../support/fixtures.ts'
import { counted, goToJobs, job, list, openJob, outcome, outcomes, startJob } from '../support/jobs.ts'
import { connectDevice } from '../support/wireDevice.ts'

const dialog = (page: Page) => page.getByRole('alertdialog')

test('an administrator watches the job of a vendor end, whose tab was closed', async ({ page, browser, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const [done, offline] = [await newCredential(admin), await newCredential(admin)]
  const connected = [await connectDevice(server.mqttPort(), done)]
  await online(admin, [done.bssid])

  const vendor = await browser.newContext({ baseURL: server.url })
  const tab = await vendor.newPage()
  await signIn(tab, 'vendor')
  await loaded(tab)
  const id = await startJob(await callerFor(server.url, 'vendor'), {
    command: 'flush',
    ids: [done.bssid, offline.bssid],
    policy: { offline: 24 },
  })
  await goToJobs(tab)
  await expect(job(tab, 'Flush 2 devices')).toContainText('1 done · 1 waiting')
  await expect(tab.getByRole('banner').getByText('1 job is running')).toBeAttached()
  await tab.close()
  await vendor.close()

  await signIn(page, 'admin')
  await loaded(page)
  await goToJobs(page)
  await page.keyboard.press('j')
  await expect(job(page, 'Flush 2 devices')).toContainText('vendor')
  await expect(job(page, 'Flush 2 devices')).toContainText('waits for 1 offline device')
  await expect(page).toHaveURL(`/jobs?job=${id}`)
  // It is not a job of the administrator.
  await expect(page.getByRole('banner').getByText('1 job is running')).not.toBeAttached()
  await check(page, 'a job of a vendor')
  connected.push(await connectDevice(server.mqttPort(), offline))
  await expect(job(page, 'Flush 2 devices')).toContainText('2 done')
  await expect(job(page, 'Flush 2 devices')).toContainText('Done')
  await expect(outcome(page, offline.bssid)).toContainText('Done')
  for (const device of connected) await device.leave()
})

test('a job is paused, resumed, cancelled, retried and followed back to its origin by keys alone', async ({
  page,
  server,
}) => {
  const admin = await callerFor(server.url, 'admin')
  const [done, offline, other] = [await newCredential(admin), await newCredential(admin), await newCredential(admin)]
  const device = await connectDevice(server.mqttPort(), done)
  await online(admin, [done.bssid])
  const ids = [done.bssid, offline.bssid, other.bssid]
  const id = await startJob(admin, { command: 'lock', input: { locked: true }, ids, policy: { offline: 24 } })
  await counted(admin, id, { done: 1, waiting: 2 })
  await signIn(page, 'admin')
  await loaded(page)
  await goToJobs(page)
  await page.keyboard.press('j')
  await expect(job(page, 'Lock 3 devices')).toBeFocused()
  await page.keyboard.press('p')
  await expect(job(page, 'Lock 3 devices')).toContainText('Paused by a person')
  await page.keyboard.press('p')
  await expect(job(page, 'Lock 3 devices')).toContainText('Running')

  await page.keyboard.press('Enter')
  await page.keyboard.press('/')
  await answer(page, 'Outcome', 'Waiting')
  await expect(outcomes(page).getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(`/jobs?job=${id}&filter=waiting`)
  await page.goBack()
  await expect(outcomes(page).getByRole('row')).toHaveCount(3)

  await page.keyboard.press('c')
  await expect(job(page, 'Lock 3 devices')).toContainText('Cancelled')
  await expect(job(page, 'Lock 3 devices')).toContainText('1 done · 2 cancelled')
  await page.keyboard.press('c')
  await expect(messages(page)).toContainText('The job has ended')

  await page.keyboard.press('Shift+R')
  await answer(page, 'Reason', 'The job was cancelled')
  await expect(dialog(page)).toContainText('Retry “Lock” on 2 devices?')
  await page.keyboard.press('Enter')
  await expect(job(page, 'Lock (retry) 2 devices')).toBeFocused()
  await expect(job(page, 'Lock (retry) 2 devices')).toContainText('2 waiting')
  await page.keyboard.press('u')
  await expect(job(page, 'Lock 3 devices')).toBeFocused()
  await page.keyboard.press('z')
  await expect(dialog(page)).toContainText('Undo “Lock” for 1 device?')
  await page.keyboard.press('Enter')
  await expect(job(page, 'Undo “Lock” 1 device')).toContainText('Done')
  await expect(job(page, 'Lock 3 devices')).toContainText('Undone')
  await device.leave()
})

test('the reasons of a job are retried and its tasks cancelled with the mouse alone', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const [refusing, offline] = [await newCredential(admin), await newCredential(admin)]
  let refusal: string | undefined = 'The latch is stuck'
  const device = await connectDevice(server.mqttPort(), refusing, () => refusal)
  await online(admin, [refusing.bssid])
  const ids = [refusing.bssid, offline.bssid]
  const id = await startJob(admin, { command: 'lock', input: { locked: true }, ids, policy: { offline: 24 } })
  await counted(admin, id, { refused: 1, waiting: 1 })
  refusal = undefined
  await signIn(page, 'admin')
  await loaded(page)
  await visit(page, `/jobs?job=${id}`)
  await openJob(page)
    .getByRole('button', { name: /^Refused/ })
    .click()
  await expect(outcomes(page).getByRole('row')).toHaveCount(1)
  await openJob(page).getByRole('button', { name: /^All/ }).click()
  await openJob(page).getByRole('button', { name: 'Retry 1 device: The latch is stuck' }).click()
  await dialog(page).getByRole('button', { name: 'Retry 1 device' }).click()
  await expect(job(page, 'Lock (retry) 1 device')).toContainText('Done')
  await openJob(page).getByRole('button', { name: 'retries another job' }).click()
  await expect(job(page, 'Lock 2 devices')).toHaveAttribute('aria-selected', 'true')

  await outcome(page, offline.bssid).getByRole('button', { name: offline.bssid }).click()
  await expect(page.getByRole('heading', { level: 1, name: offline.bssid })).toBeVisible()
  const tasks = page.getByRole('list', { name: 'Jobs of the device' })
  await expect(tasks.getByRole('listitem')).toHaveCount(1)
  await expect(tasks).toContainText('waits until')
  await tasks.getByRole('button', { name: 'Cancel “Lock” for this device' }).click()
  await expect(tasks).toContainText('The task was cancelled')
  await tasks.getByRole('button', { name: 'Lock', exact: true }).click()
  await expect(page).toHaveURL(`/jobs?job=${id}`)
  await expect(job(page, 'Lock 2 devices')).toContainText('1 refused · 1 cancelled')
  await device.leave()
})

test('a link shows another person the same job; a vendor does not see that of others', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const vendor = await callerFor(server.url, 'vendor')
  const { bssid } = await newCredential(admin)
  const request = { command: 'flush', ids: [bssid], policy: { offline: 24 } }
  const [own, others] = [await startJob(vendor, request), await startJob(admin, request)]
  await signIn(page, 'vendor')
  await loaded(page)
  await page.goto(`/jobs?job=${own}&filter=waiting`)
  await expect(job(page, 'Flush 1 device')).toHaveAttribute('aria-selected', 'true')
  await expect(outcome(page, bssid)).toContainText('Waiting')
  await page.goto(`/jobs?job=${others}`)
  await expect(page.getByRole('alert')).toContainText('Job not found')
  await expect(list(page).locator(`[data-id="${others}"]`)).toHaveCount(0)
  await page.keyboard.press('j')
  await expect(job(page, 'Flush 1 device')).toBeFocused()
})
