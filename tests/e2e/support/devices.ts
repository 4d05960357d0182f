/** Locators and actions for the devices screen. */
import { expect, type Page } from '@playwright/test'

export const grid = (page: Page) => page.getByRole('grid', { name: 'Devices' })
export const row = (page: Page, bssid: string) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox', { name: `Select ${bssid}` }) })
export const rowAt = (page: Page, position: number) => page.locator(`[role=row][aria-rowindex="${position}"]`)
const boxes = (page: Page) => grid(page).getByRole('checkbox', { name: /^Select [0-9A-F]{2}:/ })
export const selectedRows = (page: Page) => grid(page).getByRole('row', { selected: true })
export const header = (page: Page, name: string) => grid(page).getByRole('columnheader', { name, exact: true })
export const panel = (page: Page) => page.getByRole('complementary')
/** Waits until the panel, which follows the focused row a moment later, shows this device or, without one, any. */
export const panelReady = (page: Page, bssid?: string) =>
  bssid === undefined
    ? expect(panel(page)).not.toHaveAccessibleName(/^No /)
    : expect(panel(page)).toHaveAccessibleName(bssid)
export const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
export const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Search', exact: true })
export const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' })
export const statusBar = (page: Page) => page.getByRole('contentinfo')

/** Waits until the rows of the last request are shown. */
export async function loaded(page: Page) {
  await expect(grid(page)).toHaveAttribute('aria-busy', 'false')
}

/** Returns the ids of the rendered devices, from the top. */
export async function shownDevices(page: Page): Promise<string[]> {
  await loaded(page)
  return boxes(page).evaluateAll(all => all.map(box => box.getAttribute('aria-label')!.slice('Select '.length)))
}

/**
 * Enters a text at once into the field that has the focus. Typed letter by letter, it takes much longer; tests of typing
 * do that.
 */
export async function enterText(page: Page, text: string) {
  if (text !== '') await page.keyboard.insertText(text)
}

/** Leaves fields and dialogs and clears the search and the selection, for the next step of a test in the same list. */
export async function clearList(page: Page) {
  const list = page.getByRole('grid')
  const soon = { timeout: 300 }
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(0, soon)
    await expect(page.locator(':focus:is(input:not([type=checkbox]), textarea, select)')).toHaveCount(0, soon)
    await expect(searchField(page)).toHaveValue('', soon)
    // Not the rows on screen: a selected row may be on another page once the search is cleared.
    await expect(page.getByRole('group', { name: 'Selection' })).toContainText('Nothing selected', soon)
  }).toPass({ timeout: 20_000 })
  await expect(list).toHaveAttribute('aria-busy', 'false')
}

/** Searches in the list with the keyboard; the focus is then on the first row found. */
export async function searchFor(page: Page, text: string, count: number) {
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await enterText(page, text)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(count))
  await loaded(page)
  if (count > 0) await enterList(page)
  else await page.keyboard.press('Enter')
}

/** Moves from the search field to the first row. The list may be reloaded, so this waits until keys act on it. */
export async function enterList(page: Page) {
  await page.keyboard.press('Enter')
  await expect(grid(page).getByRole('row').nth(1)).toBeFocused()
  await loaded(page)
}

/** Searches for a device by its id and focuses its row, without selecting it. */
export async function focusDevice(page: Page, bssid: string) {
  await searchFor(page, bssid, 1)
  await expect(row(page, bssid)).toBeFocused()
}

/** Waits until the navigation shows this number of selected devices. */
export const selectedCount = (page: Page, count: number) =>
  expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Devices/ })).toContainText(
    count === 0 ? 'No devices selected' : `Devices selected: ${count}`,
  )

/** Opens the palette and waits until its field is focused. */
export async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox')).toBeFocused()
}

/** Confirms a dialog with Enter; for a preview, once its dry run has been shown. */
export async function confirm(page: Page, title: string | RegExp) {
  const dialog = page.getByRole('alertdialog', { name: title, exact: true })
  const button = dialog.getByRole('button', { name: /^(?!Cancel)/ }).last()
  await expect(button).toBeFocused()
  await expect(button).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}

/** The preview of a command on many devices. */
export const preview = (page: Page, title: string) => page.getByRole('alertdialog', { name: title, exact: true })

/** Collects the calls to an endpoint from now on, except dry runs. */
export function countCalls(page: Page, method: string, path: RegExp) {
  const calls: { body: unknown }[] = []
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (request.method() === method && path.test(pathname) && !searchParams.has('preview'))
      calls.push({ body: request.postDataJSON() as unknown })
  })
  return calls
}

let serial = 0
/** Returns device ids that no other test uses. */
export function newBssids(count: number): string[] {
  const worker = Number(process.env.TEST_PARALLEL_INDEX ?? 0)
  return Array.from({ length: count }, () => {
    serial++
    // Sorted after all others: a test that takes the first row of a list gets a demo device, which answers.
    const digits = [0xfe, 0xe2, worker, Math.floor(Date.now() / 1000) & 0xff, serial >> 8, serial & 0xff]
    return digits.map(digit => digit.toString(16).padStart(2, '0').toUpperCase()).join(':')
  })
}

export const uploadForm = (page: Page) => panel(page).getByRole('form', { name: 'Upload devices' })

/** Chooses a file with these devices in the upload form, which is open. */
export async function chooseDevices(page: Page, ids: readonly string[]) {
  const lines = ids.map(id => `${id},esp32,RO-400 Home,,vendor,Made for a test`)
  await uploadForm(page)
    .locator('input[type=file]')
    .setInputFiles({
      name: 'devices.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['bssid,platform,model,filtration_system,vendor,description', ...lines].join('\n')),
    })
}

export const credentials = (page: Page) => page.getByRole('dialog', { name: /^Credentials of/ })

/** Downloads the credentials of new devices and closes the dialog. */
export async function saveCredentials(page: Page) {
  await expect(credentials(page).getByRole('button', { name: 'Download' })).toBeFocused()
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  await download
  await page.keyboard.press('Escape')
  await expect(credentials(page)).toBeHidden()
}

/** Uploads devices that no other test uses, with the form in the panel, and returns their ids. */
export async function uploadDevices(page: Page, count: number): Promise<string[]> {
  const ids = newBssids(count)
  await page.keyboard.press('c')
  await chooseDevices(page, ids)
  await uploadForm(page).getByRole('button', { name: 'Upload' }).click()
  await expect(messages(page)).toContainText(`Created ${count} device`)
  await saveCredentials(page)
  return ids
}

/** Waits until the selection of devices has been stored, so that it survives loading the page again. */
export const selectionStored = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<boolean>((resolve, reject) => {
            const opening = indexedDB.open('permeate')
            opening.onerror = () => reject(new Error('The storage cannot be opened'))
            opening.onsuccess = () => {
              const request = opening.result.transaction('state').objectStore('state').get('selection:devices')
              request.onerror = () => reject(new Error('The storage cannot be read'))
              request.onsuccess = () => {
                opening.result.close()
                resolve(request.result !== undefined)
              }
            }
          }),
      ),
    )
    .toBe(true)
