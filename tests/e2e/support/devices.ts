/** The devices screen as a person finds it: by roles and names. */
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
/** The panel is about what is selected or in focus by now: where its sections are depends on that. */
export const panelFollows = (page: Page) => expect(panel(page)).not.toHaveAccessibleName(/^No /)
export const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
export const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Search', exact: true })
export const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' })
export const statusBar = (page: Page) => page.getByRole('contentinfo')

/** Waits until the rows on screen are those that were asked for last. */
export async function loaded(page: Page) {
  await expect(grid(page)).toHaveAttribute('aria-busy', 'false')
}

/** The devices on screen, from the top; as many as are drawn. */
export async function shownDevices(page: Page): Promise<string[]> {
  await loaded(page)
  return boxes(page).evaluateAll(all => all.map(box => box.getAttribute('aria-label')!.slice('Select '.length)))
}

/** What stands in a column, from the top. Only columns in sight are drawn, so it is brought there. */
export async function columnValues(page: Page, name: string): Promise<string[]> {
  await loaded(page)
  const titles = await grid(page).getByRole('columnheader').allTextContents()
  const place = titles.findIndex(title => title.replace(/[↑↓]$/, '') === name)
  expect(place, `there is a column ${name}`).toBeGreaterThan(-1)
  await header(page, name).scrollIntoViewIfNeeded()
  const cells = grid(page).locator(`[role=gridcell][aria-colindex="${place + 1}"]`)
  if ((await boxes(page).count()) > 0) await cells.first().waitFor()
  return cells.allTextContents()
}

/** Searches in the list by keys and leaves the field again; focus is then on the first row found. */
export async function searchFor(page: Page, text: string, count: number) {
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await page.keyboard.type(text)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(count))
  await loaded(page)
  if (count > 0) await enterList(page)
  else await page.keyboard.press('Enter')
}

/** From the search field to the first row: what is found may be asked for once more, and keys act on that only then. */
export async function enterList(page: Page) {
  await page.keyboard.press('Enter')
  await expect(grid(page).getByRole('row').nth(1)).toBeFocused()
  await loaded(page)
}

/** Finds one device by its id and puts the focus on its row; nothing is selected by that. */
export async function focusDevice(page: Page, bssid: string) {
  await searchFor(page, bssid, 1)
  await expect(row(page, bssid)).toBeFocused()
}

export const selectedCount = (page: Page, count: number) =>
  expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Devices/ })).toContainText(
    count === 0 ? 'No devices selected' : `Devices selected: ${count}`,
  )

/** Opens the palette and waits until it takes what is typed. */
export async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox')).toBeFocused()
}

/** Answers a question that needs no typing with Enter; of what acts on many, once it is known what it would do. */
export async function confirm(page: Page, title: string) {
  const question = page.getByRole('alertdialog', { name: title, exact: true })
  const button = question.getByRole('button', { name: /^(?!Cancel)/ })
  await expect(button).toBeFocused()
  await expect(button).not.toHaveAttribute('aria-disabled')
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
}

/** What a command on many is about to do. */
export const preview = (page: Page, title: string) => page.getByRole('alertdialog', { name: title, exact: true })

/** Counts the calls of one kind from now on, previews aside. */
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
/** Ids of devices that no other test knows. */
export function newBssids(count: number): string[] {
  const worker = Number(process.env.TEST_PARALLEL_INDEX ?? 0)
  return Array.from({ length: count }, () => {
    serial++
    // Behind all others: a test that takes the first on a list finds devices of the demo, which answer.
    const digits = [0xfe, 0xe2, worker, Math.floor(Date.now() / 1000) & 0xff, serial >> 8, serial & 0xff]
    return digits.map(digit => digit.toString(16).padStart(2, '0').toUpperCase()).join(':')
  })
}

export const uploadForm = (page: Page) => panel(page).getByRole('form', { name: 'Upload devices' })

/** Puts a file of these devices into the form in the panel, which is open. */
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

/** Downloads what new devices sign in with, and goes on. */
export async function keepCredentials(page: Page) {
  await expect(credentials(page).getByRole('button', { name: 'Download' })).toBeFocused()
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  await download
  await page.keyboard.press('Escape')
  await expect(credentials(page)).toBeHidden()
}

/** Uploads devices that no other test knows, by the form in the panel, and returns their ids. */
export async function uploadDevices(page: Page, count: number): Promise<string[]> {
  const ids = newBssids(count)
  await page.keyboard.press('c')
  await chooseDevices(page, ids)
  await uploadForm(page).getByRole('button', { name: 'Upload' }).click()
  await expect(messages(page)).toContainText(`Created ${count} device`)
  await keepCredentials(page)
  return ids
}

/** The selection of devices has been stored, so that the page may be left for another by its address. */
export const selectionStored = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<boolean>((resolve, reject) => {
            const opening = indexedDB.open('permeate')
            opening.onerror = () => reject(new Error('The storage cannot be opened'))
            opening.onsuccess = () => {
              const asked = opening.result.transaction('state').objectStore('state').get('selection:devices')
              asked.onerror = () => reject(new Error('The storage cannot be read'))
              asked.onsuccess = () => {
                opening.result.close()
                resolve(asked.result !== undefined)
              }
            }
          }),
      ),
    )
    .toBe(true)
