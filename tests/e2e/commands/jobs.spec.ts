/** Jobs: the outcome of each target, retry and undo, with the keyboard and by touch, and after a reload. */
import { readFile } from 'node:fs/promises'
import type { Page, Route } from '@playwright/test'
import type { Credential } from '../../../src/api/contract/devices.ts'
import { callerFor, newCredential, online } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { intercept } from '../support/intercept.ts'
import { answer, backToDevices, messages, palette } from '../support/lists.ts'
import { focusDevice, grid, loaded, searchField } from '../support/devices.ts'
import { expect, logOut, signIn, test, type WorkerServer } from '../support/fixtures.ts'
import { focusNewestJob, goToJobs, job, list, openJob, outcome, outcomes, startJob } from '../support/jobs.ts'
import { connectDevice } from '../support/wireDevice.ts'

/** Confirms the preview of a command. */
async function confirmPreview(page: Page) {
  const button = page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(?!Cancel)/ })
    .last()
  await expect(button).toBeFocused()
  await expect(button).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('Enter')
}

/** Reloads the page and returns the browser's dialog, which asks whether to leave. */
async function reloadWithPrompt(page: Page) {
  const prompt = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => window.location.reload()))
  const dialog = await prompt
  expect(dialog.type()).toBe('beforeunload')
  return dialog
}

/** Holds the calls that lock devices, except previews, until `release` is called. */
async function holdLocks(page: Page) {
  const held: Route[] = []
  await intercept(page, /\/devices\/lock(\?|$)/, async route => {
    if (route.request().url().includes('preview=true')) return route.continue()
    held.push(route)
    return undefined
  })
  return {
    held,
    async release() {
      for (const route of held.splice(0)) await route.continue()
    },
  }
}

const lockOf = (devices: readonly Credential[]) => ({
  command: 'lock',
  input: { locked: true },
  ids: devices.map(({ bssid }) => bssid),
})

test('with the keyboard alone, the outcomes of a job are filtered and exported, a target is opened, and what failed is retried, which is undone', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('the failed and skipped targets are retried, and the retry is undone', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [refusing, offline] = [await newCredential(admin), await newCredential(admin)]
    let refusal: string | undefined = 'The latch is stuck'
    const connected = [await connectDevice(server.mqttPort(), refusing, () => refusal)]
    await online(admin, [refusing.bssid])
    await startJob(admin, lockOf([refusing, offline]))
    await goToJobs(page)
    await expect(job(page, 'Lock 2 devices')).toContainText('1 refused · 1 skipped')
    // Its last task ends shortly before the job, which can be retried from then on.
    await expect(job(page, 'Lock 2 devices')).toContainText('Failed')

    // From now on, both devices accept the command.
    refusal = undefined
    connected.push(await connectDevice(server.mqttPort(), offline))
    await online(admin, [offline.bssid])
    await page.keyboard.press('r')
    await confirmPreview(page)
    // The retry is the newest job, at the top.
    await expect(job(page, 'Lock (retry) 2 devices')).toBeFocused()
    await expect(list(page).getByRole('row').first()).toContainText('2 done')
    // Its last task is done shortly before the job has ended.
    await expect(list(page).getByRole('row').first()).toContainText('Done')
    await page.keyboard.press('Home')
    await expect(list(page).getByRole('row').first()).toBeFocused()
    await page.keyboard.press('z')
    await confirmPreview(page)
    await expect(job(page, 'Undo “Lock” 2 devices')).toContainText('2 done')
    await expect(list(page).getByRole('row').nth(1)).toContainText('Undone')
    for (const { bssid } of [refusing, offline])
      expect(await admin.call('GET', `/api/v3/devices/${bssid}`)).toMatchObject({ locked: false })
    for (const device of connected) await device.leave()
  })
  await backToDevices(page)
  await test.step('outcomes are filtered and exported, and a target is opened', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [done, refusing, offline] = [
      await newCredential(admin),
      await newCredential(admin),
      await newCredential(admin),
    ]
    const connected = [
      await connectDevice(server.mqttPort(), done),
      await connectDevice(server.mqttPort(), refusing, () => 'The latch is stuck'),
    ]
    await online(admin, [done.bssid, refusing.bssid])
    await startJob(admin, lockOf([done, refusing, offline]))
    await goToJobs(page)
    await focusNewestJob(page, 'Lock 3 devices')
    await expect(job(page, 'Lock 3 devices')).toContainText('1 done · 1 refused · 1 skipped')
    await page.keyboard.press('Enter')
    await expect(outcome(page, done.bssid)).toContainText('Done')
    await expect(outcome(page, refusing.bssid)).toContainText('The latch is stuck')
    await expect(outcome(page, offline.bssid)).toContainText('Skipped')
    await page.keyboard.press('/')
    await answer(page, 'Outcome', 'Refused')
    await expect(outcomes(page).getByRole('row')).toHaveCount(1)
    await expect(outcome(page, refusing.bssid)).toBeFocused()
    await page.keyboard.press('f')
    await expect(outcome(page, offline.bssid)).toBeFocused()

    await page.keyboard.press('e')
    const download = page.waitForEvent('download')
    await answer(page, 'File', 'CSV')
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^permeate-job-lock-.*\.csv$/)
    const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)
    expect(lines).toHaveLength(4)
    expect(lines.find(line => line.startsWith(refusing.bssid))).toMatch(/Refused,.*The latch is stuck/)

    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: offline.bssid })).toBeVisible()
    for (const device of connected) await device.leave()
  })
})

/** Locks a new device by its key, and holds the call. The device stays connected until the test lets it leave. */
async function lockAndHold(page: Page, server: WorkerServer) {
  const credential = await newCredential(await callerFor(server.url, 'admin'))
  const device = await connectDevice(server.mqttPort(), credential)
  const locks = await holdLocks(page)
  await focusDevice(page, credential.bssid)
  await page.keyboard.press('l')
  await expect.poll(() => locks.held.length).toBe(1)
  return { credential, device, locks }
}

test('a running job shows in the header, asks before the page is left, and can be cancelled; it ends with its page, and what the page knows of it with the session', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('a running job shows in the header, asks before the page is left, and can be cancelled', async () => {
    const { device, locks } = await lockAndHold(page, server)
    await expect(page.getByRole('banner').getByText('1 job is running')).toBeAttached()
    await goToJobs(page)
    await expect(job(page, 'Lock 1 device')).toContainText('Running')
    await check(page, 'a running job', 'html', { whole: true })

    await (await reloadWithPrompt(page)).dismiss()
    await expect(job(page, 'Lock 1 device')).toContainText('Running')

    await page.keyboard.press('c')
    await expect(job(page, 'Lock 1 device')).toContainText('Cancelling')
    await locks.release()
    // The call had been sent before it was cancelled, so the job is done.
    await expect(job(page, 'Lock 1 device')).toContainText('Done')
    await expect(page.getByRole('banner').getByText('1 job is running')).not.toBeAttached()
    await device.leave()
  })
  await backToDevices(page)
  await test.step('a call on one device ends with its page, and what the page knows of it with the session', async () => {
    const { device, credential } = await lockAndHold(page, server)
    await goToJobs(page)
    await expect(job(page, 'Lock 1 device')).toContainText('Running')
    await (await reloadWithPrompt(page)).accept()
    await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeAttached()
    await expect(job(page, 'Lock 1 device')).toHaveCount(0)
    await page.unrouteAll()

    await page.goto('/devices')
    await loaded(page)
    await focusDevice(page, credential.bssid)
    await page.keyboard.press('l')
    await expect(messages(page)).toContainText('Locked 1 of 1 device')
    await goToJobs(page)
    await expect(job(page, 'Lock 1 device')).toContainText('1 done')
    await logOut(page)
    await signIn(page, 'admin')
    await loaded(page)
    await goToJobs(page)
    await expect(job(page, 'Lock 1 device')).toHaveCount(0)
    await device.leave()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true })

  test('a job is opened, closed and forgotten by touch', async ({ page, server }) => {
    const credential = await newCredential(await callerFor(server.url, 'admin'))
    await signIn(page, 'admin')
    await loaded(page)
    await searchField(page).fill(credential.bssid)
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '1')
    await loaded(page)
    await page.getByRole('checkbox', { name: `Select ${credential.bssid}` }).tap()
    await page.getByRole('button', { name: 'Search devices or run commands' }).tap()
    await palette(page).getByRole('combobox').fill('>lock')
    await palette(page).getByRole('option', { name: /^Lock/ }).first().tap()
    await expect(messages(page)).toContainText('0 of 1')
    await page.getByRole('button', { name: 'Search devices or run commands' }).tap()
    await palette(page).getByRole('combobox').fill('>jobs')
    await palette(page).getByRole('option', { name: /^Jobs/ }).first().tap()

    await expect(openJob(page)).toHaveCount(0)
    const newest = list(page).getByRole('row').first()
    await expect(newest).toContainText('Lock 1 device')
    const id = await newest.getAttribute('data-id')
    await newest.tap()
    await expect(openJob(page)).toBeVisible()
    await expect(list(page)).toHaveCount(0)
    await check(page, 'a job on a phone')
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await overflow()).toBe(0)
    await page.getByRole('button', { name: 'Back to jobs' }).tap()
    await expect(list(page)).toBeVisible()
    await newest.tap()
    await openJob(page).getByRole('button', { name: 'Delete' }).tap()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap()
    await expect(openJob(page)).toHaveCount(0)
    await expect(page.locator(`[data-id="${id}"]`)).toHaveCount(0)
  })
})
