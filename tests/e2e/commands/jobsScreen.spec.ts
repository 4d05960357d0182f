/** Jobs of the server: seen by everyone who may see them, and controlled by keys alone and by the mouse alone. */
import { callerFor, newCredential, online } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { answer, backToDevices, messages } from '../support/lists.ts'
import { confirm, loaded, preview } from '../support/devices.ts'
import { expect, signIn, signInAt, test, visit } from '../support/fixtures.ts'
import { counted, focusNewestJob, goToJobs, job, list, openJob, outcome, outcomes, startJob } from '../support/jobs.ts'
import { connectDevice } from '../support/wireDevice.ts'

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

test('a job is controlled by keys alone, and a retry and an undo say which devices they would reach, before anything is sent', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('a job is paused, resumed, cancelled, retried and followed back to its origin by keys alone', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [done, offline, other] = [await newCredential(admin), await newCredential(admin), await newCredential(admin)]
    const device = await connectDevice(server.mqttPort(), done)
    await online(admin, [done.bssid])
    const ids = [done.bssid, offline.bssid, other.bssid]
    const id = await startJob(admin, { command: 'lock', input: { locked: true }, ids, policy: { offline: 24 } })
    await counted(admin, id, { done: 1, waiting: 2 })
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
    const retry = preview(page, 'Retry “Lock”: 2 devices')
    await expect(retry.getByRole('status')).toContainText('2 offline, will wait')
    await expect(retry).toContainText('Those with the reason “The job was cancelled”.')
    // It starts from the policy of its job.
    const chip = (name: string) => retry.getByRole('button', { name: new RegExp(`^${name}`) })
    await expect(chip('Offline')).toContainText('wait 1d')
    await expect(chip('Repeat')).toHaveCount(0)
    await expect(retry.getByRole('list')).toContainText(offline.bssid)
    // Nothing is created before it is confirmed.
    await page.keyboard.press('Escape')
    await expect(retry).toHaveCount(0)
    await page.keyboard.press('r')
    await expect(chip('Offline')).toContainText('wait 1d')
    await page.keyboard.press('o')
    await expect(chip('Offline')).toContainText('wait 7d')
    await page.keyboard.press('t')
    await confirm(page, 'Retry “Lock”: 2 devices')
    await expect(job(page, 'Lock (retry) 2 devices')).toBeFocused()
    await expect(job(page, 'Lock (retry) 2 devices')).toContainText(
      'waits 7 days for offline devices · tries unanswered ones 1 more time',
    )
    await expect(job(page, 'Lock (retry) 2 devices')).toContainText('2 waiting')
    await page.keyboard.press('u')
    await expect(job(page, 'Lock 3 devices')).toBeFocused()
    // One device, which can be locked again: it does not ask.
    await page.keyboard.press('z')
    await expect(job(page, 'Undo “Lock” 1 device')).toContainText('Done')
    await expect(job(page, 'Lock 3 devices')).toContainText('Undone')
    await device.leave()
  })
  await backToDevices(page)
  await test.step('a retry and an undo say which devices they would reach, before anything is sent', async () => {
    const admin = await callerFor(server.url, 'admin')
    const [first, second, refusing] = [
      await newCredential(admin),
      await newCredential(admin),
      await newCredential(admin),
    ]
    let refusal: string | undefined = 'The latch is stuck'
    const devices = await Promise.all([first, second].map(one => connectDevice(server.mqttPort(), one)))
    devices.push(await connectDevice(server.mqttPort(), refusing, () => refusal))
    const ids = [first.bssid, second.bssid, refusing.bssid]
    await online(admin, ids)
    const offline = await newCredential(admin)
    const id = await startJob(admin, { command: 'lock', input: { locked: true }, ids: [...ids, offline.bssid] })
    await counted(admin, id, { done: 2, refused: 1, skipped: 1 })
    refusal = undefined
    await devices[1]!.state({ status: 3 })
    await expect
      .poll(async () => ((await admin.call('GET', `/api/v3/devices/${second.bssid}`)) as { status: number }).status)
      .toBe(3)
    await goToJobs(page)
    await focusNewestJob(page, 'Lock 4 devices')

    await page.keyboard.press('r')
    const retry = preview(page, 'Retry “Lock”: 2 devices')
    await expect(retry.getByRole('status')).toContainText('1 will lock')
    await expect(retry.getByRole('status')).toContainText('1 skipped')
    await expect(retry.getByRole('status')).toContainText('1 × ')
    await expect(retry.getByRole('listitem').filter({ hasText: refusing.bssid })).toBeVisible()
    await expect(retry.getByRole('listitem').filter({ hasText: offline.bssid })).toBeVisible()
    await check(page, 'the preview of a retry')
    await confirm(page, 'Retry “Lock”: 2 devices')
    await expect(job(page, 'Lock (retry) 2 devices')).toContainText('1 done · 1 skipped')
    await expect(messages(page)).toContainText('Locked 1 of 2 devices')

    await page.keyboard.press('u')
    await expect(job(page, 'Lock 4 devices')).toBeFocused()
    await page.keyboard.press('z')
    const undo = preview(page, 'Undo “Lock”: 2 devices')
    await expect(undo.getByRole('status')).toContainText('1 skipped')
    await expect(undo.getByRole('listitem').filter({ hasText: second.bssid })).toBeVisible()
    await confirm(page, 'Undo “Lock”: 2 devices')
    await expect(job(page, 'Undo “Lock” 2 devices')).toContainText('1 done · 1 skipped')
    await expect(messages(page)).toContainText('Undid “Lock” for 1 of 2 devices')
    // Where it was restored, it is not restored again.
    await page.keyboard.press('u')
    await expect(job(page, 'Lock 4 devices')).toBeFocused()
    await devices[1]!.state({ status: 0 })
    await online(admin, [second.bssid])
    await page.keyboard.press('z')
    await expect(job(page, 'Undo “Lock” 1 device')).toContainText('1 done')
    for (const device of devices) await device.leave()
  })
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
  await signInAt(page, 'vendor', `/jobs?job=${own}&filter=waiting`)
  await expect(job(page, 'Flush 1 device')).toHaveAttribute('aria-selected', 'true')
  await expect(outcome(page, bssid)).toContainText('Waiting')
  await visit(page, `/jobs?job=${others}`)
  await expect(page.getByRole('alert')).toContainText('Job not found')
  await expect(list(page).locator(`[data-id="${others}"]`)).toHaveCount(0)
  await page.keyboard.press('j')
  await expect(job(page, 'Flush 1 device')).toBeFocused()
})
