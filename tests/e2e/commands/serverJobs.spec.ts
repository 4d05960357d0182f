/** Jobs that the server carries out go on without the page that started them. */
import { callerFor, newCredential, online } from '../support/api.ts'
import { confirm, loaded, messages, openPalette, preview } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { select } from '../support/lists.ts'
import { connectDevice } from '../support/wireDevice.ts'

test('a job goes on while its page is reloaded, which then shows its outcome and undoes it', async ({
  page,
  server,
}) => {
  const admin = await callerFor(server.url, 'admin')
  const credentials = [await newCredential(admin), await newCredential(admin)]
  const ids = credentials.map(({ bssid }) => bssid)
  const devices = await Promise.all(credentials.map(credential => connectDevice(server.mqttPort(), credential)))
  await online(admin, ids)
  await signIn(page, 'admin')
  await loaded(page)
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

test('the chips of a policy are changed by keys and by presses, and it can be typed', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const ids = [(await newCredential(admin)).bssid, (await newCredential(admin)).bssid]
  await signIn(page, 'admin')
  await loaded(page)
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

test('a scheduled job is in the calendar, and is moved to another time by keys', async ({ page, server }) => {
  const admin = await callerFor(server.url, 'admin')
  const { bssid } = await newCredential(admin)
  const start = new Date(Date.now() + 25 * 3_600_000).toISOString()
  const { _id } = (await admin.call('POST', '/api/v3/jobs', {
    command: 'reboot',
    ids: [bssid],
    policy: { start },
  })) as { _id: string }
  await signIn(page, 'admin')
  await loaded(page)
  await page.goto('/calendar?view=agenda')
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
