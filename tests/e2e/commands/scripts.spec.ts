/** Scripts: recorded, saved, run, stopped by a failure, imported and exported. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { callerFor, newCredential, online, unique } from '../support/api.ts'
import { check } from '../support/axe.ts'
import { confirm, countCalls, loaded, messages, openPalette, palette, statusBar } from '../support/devices.ts'
import { expect, signIn, test, type WorkerServer } from '../support/fixtures.ts'
import { answer, backToDevices, find, go, rowOf, select, tabTo } from '../support/lists.ts'
import { connectDevice } from '../support/wireDevice.ts'
import { blockRequests } from '../support/blockRequests.ts'

const library = (page: Page) => page.getByRole('region', { name: 'Scripts' })
const editor = (page: Page) => page.getByRole('dialog', { name: 'Recorded script' })
const preview = (page: Page, name: string) => page.getByRole('alertdialog', { name: `Run “${name}”` })

/** Connects a new device that refuses the given types of commands; `received` returns the types it has received. */
async function newConnectedDevice(server: WorkerServer, refuses: string[] = []) {
  const admin = await callerFor(server.url, 'admin')
  const credential = await newCredential(admin)
  const wire = await connectDevice(server.mqttPort(), credential, ({ type }) =>
    refuses.includes(type) ? 'Pump is dry' : undefined,
  )
  await online(admin, [credential.bssid])
  const received = () => wire.commands.map(({ type }) => type)
  return { bssid: credential.bssid, received, leave: wire.leave }
}

const file = (scripts: unknown) => ({
  name: 'scripts.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify({ permeate: 'scripts', version: 1, scripts })),
})

/** Imports a script from a file and runs it from the library. */
async function importAndRun(page: Page, name: string, steps: unknown) {
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await library(page)
    .getByLabel('Scripts file')
    .setInputFiles(file([{ name, steps }]))
  await library(page)
    .getByRole('button', { name: `Run ${name}` })
    .click()
}

/** Runs a script from the palette. */
async function runFromPalette(page: Page, name: string) {
  await openPalette(page)
  await page.keyboard.insertText(`>${name}`)
  await expect(palette(page).getByRole('option').first()).toContainText(name)
  await page.keyboard.press('Enter')
}

test('commands are recorded, saved as a script and run again with a prompted argument or with the policy of their job, with the keyboard alone', async ({
  page,
  server,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('with a prompted argument, also after a reload', async () => {
    const one = await newConnectedDevice(server)
    const two = await newConnectedDevice(server)
    const name = unique('Rinse')
    await select(page, one.bssid)

    await page.keyboard.press('Shift+M')
    await expect(statusBar(page)).toContainText('Recording, 0 steps')
    await page.keyboard.press('f')
    await expect(statusBar(page)).toContainText('Recorded: Flush')
    await expect.poll(one.received).toEqual(['flush'])
    await page.keyboard.press('s')
    await page.keyboard.press('i')
    await answer(page, 'Duration (min)', '60')
    await expect(statusBar(page)).toContainText('Recording, 2 steps')
    await expect.poll(one.received).toHaveLength(2)

    await page.keyboard.press('Shift+M')
    await expect(editor(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
    await expect(editor(page).getByRole('listitem')).toContainText([/Flush/, /Idle protection Duration: 60 min/])
    await check(page, 'a recorded script', '[role=dialog]')
    // Esc continues the recording. A script needs a name.
    await page.keyboard.press('Escape')
    await expect(statusBar(page)).toContainText('Recording, 2 steps')
    await page.keyboard.press('Shift+M')
    await expect(editor(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(editor(page).getByRole('alert')).toHaveText('Name is required')
    await page.keyboard.insertText(name)
    await tabTo(page, editor(page).getByRole('checkbox', { name: 'Duration (min)' }))
    await page.keyboard.press('Space')
    await expect(editor(page)).toContainText('Duration: asked each time')
    await tabTo(page, editor(page).getByRole('button', { name: 'Save' }))
    await page.keyboard.press('Enter')
    await expect(editor(page)).toBeHidden()
    await expect(statusBar(page)).not.toContainText('Recording')

    // After a reload, the script prompts for its argument and shows a preview before it runs.
    await page.reload()
    await loaded(page)
    await find(page, two.bssid, 1)
    await page.keyboard.press('x')
    await expect(rowOf(page, two.bssid)).toHaveAttribute('aria-selected', 'true')
    await runFromPalette(page, name)
    await answer(page, 'Idle protection: Duration (min)', '90')
    await expect(preview(page, name).getByText(/^2 will /)).toHaveCount(2)
    await check(page, 'the preview of a script', '[role=alertdialog]')
    expect(two.received()).toEqual([])
    await page.keyboard.press('Enter')
    await expect(preview(page, name)).toBeHidden()
    await expect.poll(one.received).toHaveLength(4)
    await expect.poll(two.received).toEqual(one.received().slice(2))

    // The key . repeats the script, and Esc in its preview cancels it.
    await expect(statusBar(page)).toContainText(`repeat “${name.toLowerCase()}”`)
    await page.keyboard.press('.')
    await expect(preview(page, name).getByText(/^2 will /)).toHaveCount(2)
    await page.keyboard.press('Escape')
    await expect(preview(page, name)).toBeHidden()
    expect(two.received()).toHaveLength(2)
    await Promise.all([one.leave(), two.leave()])
  })
  await backToDevices(page)
  await test.step('a step is recorded with the policy of its job, and runs with it', async () => {
    const admin = await callerFor(server.url, 'admin')
    const ids = [(await newCredential(admin)).bssid, (await newCredential(admin)).bssid]
    const name = unique('Later')
    await select(page, ...ids)
    await page.keyboard.press('Shift+M')
    await expect(statusBar(page)).toContainText('Recording, 0 steps')
    await openPalette(page)
    await page.keyboard.insertText('>flush wait 1d')
    await expect(palette(page).getByRole('option').first()).toContainText('wait 1d')
    await page.keyboard.press('Enter')
    await confirm(page, 'Flush: 2 devices')
    await expect(messages(page)).toContainText('2 wait for their devices')
    await page.keyboard.press('Shift+M')
    await expect(editor(page).getByRole('listitem')).toContainText([/Flush Policy: wait 1d/])
    await page.keyboard.insertText(name)
    await tabTo(page, editor(page).getByRole('button', { name: 'Save' }))
    await page.keyboard.press('Enter')
    await expect(editor(page)).toBeHidden()

    await runFromPalette(page, name)
    await expect(preview(page, name)).toContainText('Policy: wait 1d')
    await expect(preview(page, name)).toContainText('2 offline, will wait')
    const jobs = countCalls(page, 'POST', /\/jobs$/)
    await page.keyboard.press('Enter')
    await expect(preview(page, name)).toBeHidden()
    await expect(messages(page)).toContainText(`“${name}” is done`)
    expect(jobs.map(({ body }) => body)).toEqual([{ command: 'flush', input: {}, ids, policy: { offline: 24 } }])
  })
})

test('invalid scripts are not imported, and scripts stop at a failure, affect nothing, select for themselves, or cannot be loaded', async ({
  page,
  server,
}) => {
  test.slow()
  const blocked = await blockRequests(page, '**/assets/startScript-*.js')
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('invalid scripts are not imported; a script that fails stops, lists the steps not run, and can be continued', async () => {
    const refusing = await newConnectedDevice(server, ['flush'])
    const name = unique('Service')
    const steps = [{ command: 'device.flush' }, { command: 'device.idleProtection', input: { duration: 30 } }]
    await select(page, refusing.bssid)
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    await expect(library(page)).toContainText('No saved scripts yet.')
    const input = library(page).getByLabel('Scripts file')
    await input.setInputFiles(
      file([
        { name, steps },
        { name: 'Odd', steps: [{ command: 'device.explode' }] },
      ]),
    )
    await expect(library(page).getByRole('alert')).toContainText(
      'Script 2 “Odd”: step 1: There is no command “device.explode”',
    )
    await expect(library(page)).toContainText('No saved scripts yet.')
    await input.setInputFiles(file([{ name, steps }]))
    await expect(library(page).getByRole('list', { name: 'Saved scripts' }).getByRole('listitem')).toContainText([name])
    await expect(library(page).getByRole('alert')).toHaveCount(0)
    await check(page, 'the scripts')

    const run = library(page).getByRole('button', { name: `Run ${name}` })
    await test.step('its module fails to load, and it runs once the server is back', async () => {
      await run.click()
      await expect(messages(page)).toContainText('The server cannot be reached')
      blocked.on = false
      await run.click()
    })
    await preview(page, name).getByRole('button', { name: 'Run' }).click()
    await expect(messages(page)).toContainText(`“${name}” stopped at step 1 of 2, Flush`)
    await expect(messages(page)).toContainText('Not run: Idle protection.')
    expect(refusing.received()).toEqual(['flush'])
    await runFromPalette(page, 'Resume')
    await expect(preview(page, name).getByText(/^1 will /)).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect.poll(refusing.received).toHaveLength(2)

    // The export equals the import. A deleted script is no longer a command.
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    const download = page.waitForEvent('download')
    await library(page)
      .getByRole('button', { name: `Export ${name}` })
      .click()
    const exported: unknown = JSON.parse(await readFile(await (await download).path(), 'utf8'))
    expect(exported).toMatchObject({ permeate: 'scripts', version: 1, scripts: [{ name, steps }] })
    await library(page)
      .getByRole('button', { name: `Delete ${name}` })
      .click()
    await page
      .getByRole('alertdialog', { name: `Delete “${name}”?` })
      .getByRole('button', { name: 'Delete' })
      .click()
    await expect(library(page)).toContainText('No saved scripts yet.')
    await openPalette(page)
    await page.keyboard.insertText(`>${name}`)
    // Only the repetition of the last run still has its name.
    await expect(palette(page).getByRole('option')).toHaveText([/^Repeat/])
    await refusing.leave()
  })
  await backToDevices(page)
  await test.step('the preview of a script without affected targets says so, and Run is disabled', async () => {
    const { bssid } = await newCredential(await callerFor(server.url, 'admin'))
    const name = unique('Idle')
    await select(page, bssid)
    await importAndRun(page, name, [{ command: 'device.flush' }])
    await expect(preview(page, name).getByRole('listitem')).toContainText('None will flush')
    await expect(preview(page, name).getByRole('alert')).toHaveText('Nothing to run: no step affects any target.')
    await page.keyboard.press('Enter')
    await expect(preview(page, name).getByRole('button', { name: 'Run' })).toBeFocused()
  })
  await backToDevices(page)
  await test.step('a script that opens a screen and selects devices runs from another screen and then shows its preview', async () => {
    const device = await newConnectedDevice(server)
    const name = unique('Fetch')
    const search = { column: 'bssid', operator: 'eq', search: device.bssid }
    const commands = [
      { command: 'go.devices' },
      { command: 'select.search', input: search },
      { command: 'device.flush' },
    ]
    await go(page, 'vendors')
    await importAndRun(page, name, commands)
    await expect(page).toHaveURL(/\/devices(\?|$)/)
    await expect(preview(page, name).getByRole('listitem')).toContainText([/Done/, /Done/, /Flush.*1 will flush/])
    expect(device.received()).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(device.received).toEqual(['flush'])
    await device.leave()
  })
})
