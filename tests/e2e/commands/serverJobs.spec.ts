/** Jobs that the server carries out go on without the page that started them. */
import { callerFor, newCredential, newModelWithDevices, online } from '../support/api.ts'
import {
  confirm,
  countCalls,
  loaded,
  messages,
  openPalette,
  palette,
  preview,
  searchFor,
  selectedCount,
} from '../support/devices.ts'
import { expect, signIn, test, visit } from '../support/fixtures.ts'
import { focusNewestJob, goToJobs, job } from '../support/jobs.ts'
import { backToDevices, select } from '../support/lists.ts'
import { connectDevice } from '../support/wireDevice.ts'

test('a job goes on while its page is reloaded, is undone and retried, follows its policy and its search, and is in the calendar', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('a job goes on while its page is reloaded, which then shows its outcome and undoes it', async () => {
    const admin = await callerFor(server.url, 'admin')
    const credentials = [await newCredential(admin), await newCredential(admin)]
    const ids = credentials.map(({ bssid }) => bssid)
    const devices = await Promise.all(credentials.map(credential => connectDevice(server.mqttPort(), credential)))
    await online(admin, ids)
    await select(page, ...ids)

    await test.step('a policy is typed behind the command, and shown in its preview', async () => {
      await openPalette(page)
      await page.keyboard.type('>lock rate 12 waves often')
      await expect(page.getByRole('option', { name: /^Lock/ }).first()).toContainText('“waves often” is not understood')
      // Enter runs nothing while the policy is wrong.
      await page.keyboard.press('Enter')
      for (let n = 0; n < ' waves often'.length; n++) await page.keyboard.press('Backspace')
      await expect(page.getByRole('option', { name: /^Lock/ }).first()).toContainText('rate 12')
      await page.keyboard.press('Enter')
      const rate = preview(page, 'Lock: 2 devices').getByRole('button', { name: /^Rate/ })
      await expect(rate).toContainText('12 a minute')
    })
    // The second device is reached five seconds after the first.
    const created = page.waitForResponse(
      response => new URL(response.url()).search === '' && response.url().endsWith('/jobs'),
    )
    await confirm(page, 'Lock: 2 devices')
    await created
    await page.reload()
    await loaded(page)
    await expect(messages(page)).toContainText('1 left')
    await expect(messages(page)).toContainText('Locked 2 of 2 devices')
    const isLocked = async (bssid: string) =>
      ((await admin.call('GET', `/api/v3/devices/${bssid}`)) as { locked: boolean }).locked
    expect(await Promise.all(ids.map(isLocked))).toEqual([true, true])

    await page.keyboard.press('z')
    await confirm(page, 'Undo “Lock”: 2 devices')
    await expect(messages(page)).toContainText('Undid “Lock” for 2 of 2 devices')
    expect(await Promise.all(ids.map(isLocked))).toEqual([false, false])
    await Promise.all(devices.map(device => device.leave()))
  })
  await backToDevices(page)
  await test.step('what failed is retried by a job whose parent is the first one, by a key and from the toast', async () => {
    const admin = await callerFor(server.url, 'admin')
    const credentials = [await newCredential(admin), await newCredential(admin)]
    const ids = credentials.map(({ bssid }) => bssid)
    let refusal: string | undefined = 'The latch is stuck'
    const devices = [
      await connectDevice(server.mqttPort(), credentials[0]!),
      await connectDevice(server.mqttPort(), credentials[1]!, () => refusal),
    ]
    await online(admin, ids)
    await select(page, ...ids)
    await openPalette(page)
    await page.keyboard.type('>lock')
    await expect(page.getByRole('option', { name: /^Lock/ }).first()).toBeVisible()
    await page.keyboard.press('Enter')
    await confirm(page, 'Lock: 2 devices')
    await expect(messages(page)).toContainText('Locked 1 of 2 devices')
    const retried = () =>
      page.waitForResponse(response => /\/jobs\/[^/]+\/retry$/.test(response.url()) && response.ok())
    const byKey = retried()
    await page.keyboard.press('r')
    await byKey
    await expect(messages(page)).toContainText('Locked 0 of 1 device')
    refusal = undefined
    const byToast = retried()
    await messages(page)
      .getByRole('button', { name: /^Retry/ })
      .last()
      .click()
    await byToast
    await expect(messages(page)).toContainText('Locked 1 of 1 device')
    await goToJobs(page)
    await page.keyboard.press('j')
    await expect(job(page, 'Lock (retry) 1 device')).toBeFocused()
    await page.keyboard.press('u')
    await page.keyboard.press('u')
    await expect(job(page, 'Lock 2 devices')).toBeFocused()
    for (const device of devices) await device.leave()
  })
  await backToDevices(page)
  await test.step('the chips of a policy are changed by keys and by presses, and it can be typed', async () => {
    const admin = await callerFor(server.url, 'admin')
    const ids = [(await newCredential(admin)).bssid, (await newCredential(admin)).bssid]
    await select(page, ...ids)
    await page.keyboard.press('f')
    const dialog = preview(page, 'Flush: 2 devices')
    const chip = (name: string) => dialog.getByRole('button', { name: new RegExp(`^${name}`) })
    await expect(dialog.getByRole('status')).toContainText('2 skipped')
    await page.keyboard.press('o')
    await expect(chip('Offline')).toContainText('wait 1d')
    // The preview follows the policy.
    await expect(dialog.getByRole('status')).toContainText('2 offline, will wait')
    await chip('Waves').click()
    await expect(chip('Waves')).toContainText('1% 10%')

    await page.keyboard.press('p')
    const text = dialog.getByRole('textbox', { name: 'Policy as text' })
    await expect(text).toHaveValue('waves 1% 10% wait 1d')
    await text.fill('wait forever')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toHaveText('“wait forever” is not understood')
    await expect(text).toHaveValue('wait forever')
    await text.fill('waves 1 wait 2d retries 1')
    await page.keyboard.press('Enter')
    await expect(text).toHaveCount(0)
    await expect(chip('Retries')).toContainText('1')
    await expect(dialog.getByRole('status')).toContainText('in waves of 1, 1')
    // Esc in the field leaves the policy and the dialog as they are.
    await page.keyboard.press('p')
    await text.fill('rate 5')
    await page.keyboard.press('Escape')
    await expect(text).toHaveCount(0)
    await expect(chip('Rate')).toContainText('no limit')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
  await backToDevices(page)
  await test.step('“all that match” is sent as the search, and may include devices that come to match later', async () => {
    const admin = await callerFor(server.url, 'admin')
    const { model, ids } = await newModelWithDevices(admin, 2)
    await page.getByRole('combobox', { name: 'Search column' }).selectOption('Model')
    await searchFor(page, model, 2)
    await page.keyboard.press('x')
    await openPalette(page)
    await page.keyboard.type('>lock until 30d')
    await expect(page.getByRole('option', { name: /^Lock/ }).first()).toContainText(
      '“until” needs “Select all that match”',
    )
    // Nothing runs, and what was typed stays.
    await page.keyboard.press('Enter')
    await expect(palette(page).getByRole('combobox')).toHaveValue('>lock until 30d')
    await page.keyboard.press('Escape')

    await page.keyboard.press('Control+Shift+A')
    await selectedCount(page, 2)
    await page.keyboard.press('f')
    const dialog = preview(page, 'Flush: 2 devices')
    const chip = dialog.getByRole('button', { name: /^New matches/ })
    await expect(chip).toContainText('left out')
    await page.keyboard.press('o')
    for (let n = 0; n < 2; n++) await page.keyboard.press('n')
    await expect(chip).toContainText('until 20')
    await page.keyboard.press('p')
    await expect(dialog.getByRole('textbox', { name: 'Policy as text' })).toHaveValue(
      /^wait 1d until \d{4}-\d{2}-\d{2}$/,
    )
    await page.keyboard.press('Escape')
    await expect(dialog.getByRole('status')).toContainText('2 offline, will wait')

    const jobs = countCalls(page, 'POST', /\/jobs$/)
    await confirm(page, 'Flush: 2 devices')
    await expect(messages(page)).toContainText('2 wait for their devices')
    expect(jobs).toHaveLength(1)
    const { body } = jobs[0]!
    expect(body).toMatchObject({
      command: 'flush',
      search: { search: model, column: 'model', operator: 'co' },
      continuous: true,
      policy: { offline: 24 },
    })
    expect(body).not.toHaveProperty('ids')
    const { until } = body as { until: string }
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(29 * 86_400_000)

    await goToJobs(page)
    await focusNewestJob(page, 'Flush 2 devices')
    await expect(job(page, 'Flush 2 devices')).toContainText('2 waiting')
    await expect(job(page, 'Flush 2 devices')).toContainText('new matches until')
    const found = (await admin.call('GET', `/api/v3/devices/${ids[0]}/tasks`)) as { _id: string }[]
    expect((await admin.call('GET', `/api/v3/jobs/${found[0]!._id}`)) as object).toMatchObject({ until, total: 2 })
    await page.keyboard.press('c')
    await expect(job(page, 'Flush 2 devices')).toContainText('Cancelled')
  })
  await backToDevices(page)
  await test.step('a scheduled job is in the calendar, and is moved to another time by keys', async () => {
    const admin = await callerFor(server.url, 'admin')
    const { bssid } = await newCredential(admin)
    const start = new Date(Date.now() + 25 * 3_600_000).toISOString()
    const { _id } = (await admin.call('POST', '/api/v3/jobs', {
      command: 'reboot',
      ids: [bssid],
      policy: { start },
    })) as { _id: string }
    await visit(page, '/calendar?view=agenda')
    await page
      .getByRole('main')
      .getByRole('button', { name: /Job: Reboot/ })
      .first()
      .click()
    await expect(page).toHaveURL(new RegExp(`/jobs\\?job=${_id}`))
    await expect(page.getByRole('region', { name: 'Reboot: 1 device' })).toContainText('Scheduled')

    await page.keyboard.press('t')
    const field = page.getByRole('combobox', { name: 'Start' })
    await expect(field).toBeFocused()
    const later = new Date(Date.now() + 50 * 3_600_000)
    const wall = `${later.getFullYear()}-${String(later.getMonth() + 1).padStart(2, '0')}-${String(later.getDate()).padStart(2, '0')} 03:30`
    await page.keyboard.type(wall)
    await page.keyboard.press('Enter')
    await expect(messages(page)).toContainText('“Reboot” starts')
    const job = (await admin.call('GET', `/api/v3/jobs/${_id}`)) as { start_at: string }
    expect(new Date(job.start_at).getTime()).toBe(new Date(wall).getTime())
    await admin.call('POST', `/api/v3/jobs/${_id}/cancel`)
  })
})
