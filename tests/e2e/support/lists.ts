/** Locators and actions for any list screen. */
import { expect, type Locator, type Page } from '@playwright/test'
import { signInAt, visit } from './fixtures.ts'
import { clearList, confirm, enterText, loaded, messages, openPalette, palette, panel, searchField } from './devices.ts'

export {
  clearList,
  confirm,
  countCalls,
  enterText,
  messages,
  openPalette,
  palette,
  panel,
  searchField,
} from './devices.ts'

/** Every list except the devices': its key after `g`, its path and title, and the column that it searches by default. */
export const screens = {
  admins: { key: 'a', path: '/admins', title: 'Admins', searches: 'Login' },
  vendors: { key: 'v', path: '/vendors', title: 'Vendors', searches: 'Login' },
  users: { key: 'u', path: '/users', title: 'Users', searches: 'Email' },
  models: { key: 'm', path: '/devices/models', title: 'Device models', searches: 'Name' },
  filtrationSystems: { key: 'f', path: '/filtration-systems', title: 'Filtration Systems', searches: 'Model' },
  groups: { key: 'r', path: '/filtration-system-groups', title: 'Filtration System Groups', searches: 'Name' },
  cartridgeTypes: { key: 't', path: '/cartridge-types', title: 'Cartridge Types', searches: 'Model' },
  findings: { key: 'i', path: '/findings', title: 'Findings', searches: 'Device' },
  audit: { key: 'h', path: '/history', title: 'History', searches: 'Action' },
} as const
export type Screen = keyof typeof screens

export const table = (page: Page) => page.getByRole('grid')
export const columnHeader = (page: Page, name: string) => table(page).getByRole('columnheader', { name, exact: true })
export const selectedTableRows = (page: Page) => table(page).getByRole('row', { selected: true })
/** The row that has a cell of exactly this text. */
export const rowOf = (page: Page, text: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell', { name: text, exact: true }) })
export const form = (page: Page, name: string | RegExp) => panel(page).getByRole('form', { name })

export const ready = (page: Page) => expect(table(page)).toHaveAttribute('aria-busy', 'false')
export async function total(page: Page): Promise<number> {
  await ready(page)
  return Number(await table(page).getAttribute('aria-rowcount'))
}

/** Waits until a list screen is open and its rows are loaded. */
export async function expectScreen(page: Page, screen: Screen) {
  const { title } = screens[screen]
  await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeFocused()
  await expect(table(page)).toHaveAccessibleName(title)
  await ready(page)
}

/** Signs in and loads the console at a list: half the time of loading the devices and going to the list. */
export async function signInAtList(page: Page, login: string, screen: Screen, password?: string) {
  await signInAt(page, login, screens[screen].path, password)
  await expect(table(page)).toHaveAccessibleName(screens[screen].title)
  await ready(page)
}

/** Goes from any list to another with the keyboard. */
export async function go(page: Page, screen: Screen) {
  await ready(page)
  // Retries both keys: on a busy machine they may be more than the second apart that a sequence allows.
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press(screens[screen].key)
    await expect(page).toHaveURL(new RegExp(`${screens[screen].path}(\\?|$)`), { timeout: 2000 })
  }).toPass({ timeout: 15_000 })
  await expectScreen(page, screen)
}

/** Closes all messages, so that a step of a test does not take those of the step before for its own. */
export async function closeMessages(page: Page) {
  const buttons = messages(page).getByRole('button', { name: 'Close', exact: true })
  await buttons.evaluateAll(all => all.forEach(button => (button as HTMLElement).click()))
  await expect(buttons).toHaveCount(0)
}

/** Goes to the devices from any screen, with no message, search or selection left, for the next step of a test. */
export async function backToDevices(page: Page) {
  if (new URL(page.url()).pathname !== '/devices') await visit(page, '/devices')
  await loaded(page)
  const column = page.getByRole('combobox', { name: 'Search column' })
  // On a phone it is behind a button.
  if (await column.isVisible()) await column.selectOption('bssid')
  await clearList(page)
  await closeMessages(page)
}

/** Searches with the keyboard; the focus is then on the first row found. */
export async function find(page: Page, text: string, count: number) {
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await page.keyboard.press('Control+a')
  await enterText(page, text)
  await expect(table(page)).toHaveAttribute('aria-rowcount', String(count))
  await ready(page)
  await page.keyboard.press('Enter')
  if (count > 0) await expect(table(page).getByRole('row').nth(1)).toBeFocused()
}

/** Finds and selects rows with the keyboard. After several names, the search is cleared; after one, it stays. */
export async function select(page: Page, ...names: string[]) {
  for (const name of names) {
    await find(page, name, 1)
    await page.keyboard.press('x')
    await expect(rowOf(page, name)).toHaveAttribute('aria-selected', 'true')
  }
  if (names.length === 1) return
  await page.keyboard.press('Escape')
  await expect(searchField(page)).toHaveValue('')
  await ready(page)
}

/** Opens a section of the panel with the keyboard; the focus is then on its tab. */
export async function openSection(page: Page, section: 'Info' | 'Update' | 'Assign' | 'Control' | 'Create') {
  await page.keyboard.press('Shift+I')
  await expect(palette(page).getByRole('combobox', { name: 'Section', exact: true })).toBeFocused()
  await enterText(page, section)
  await page.keyboard.press('Enter')
  await expect(panel(page).getByRole('tab', { name: section })).toBeFocused()
}

/** Presses Tab, or Shift+Tab where the control comes before the focus, until the control has the focus. */
export async function tabTo(page: Page, control: Locator) {
  await expect(control).toBeVisible()
  for (let presses = 0; presses < 60; presses++) {
    const position = await control.evaluate(element => {
      const { activeElement } = document
      if (!activeElement) return 'after'
      if (element === activeElement) return 'at the focus'
      return element.compareDocumentPosition(activeElement) & Node.DOCUMENT_POSITION_FOLLOWING ? 'before' : 'after'
    })
    if (position === 'at the focus') return
    await page.keyboard.press(position === 'before' ? 'Shift+Tab' : 'Tab')
  }
  await expect(control).toBeFocused()
}

/** Goes to a text field by Tab and replaces its text. */
export async function typeInto(page: Page, field: Locator, text: string) {
  await tabTo(page, field)
  await page.keyboard.press('Control+a')
  if (text === '') await page.keyboard.press('Delete')
  else await enterText(page, text)
  await expect(field).toHaveValue(text)
}

/** Submits the form whose field has the focus, with the keyboard. */
export const submit = (page: Page) => page.keyboard.press('Control+Enter')

/** Types into the palette's page `name` and confirms with Enter. */
export async function answer(page: Page, name: string, text: string) {
  await expect(palette(page).getByRole('combobox', { name, exact: true })).toBeFocused()
  await enterText(page, text)
  // Choices that the server searches for need time to load.
  await expect(palette(page).getByRole('option', { selected: true })).toHaveCount(1)
  await page.keyboard.press('Enter')
}

/** Deletes the selected rows, where DELETE has to be typed. */
export async function typeDelete(page: Page) {
  await page.keyboard.press('Delete')
  await expect(page.getByRole('textbox', { name: 'Type DELETE to confirm' })).toBeFocused()
  await page.keyboard.type('DELETE')
  await page.keyboard.press('Enter')
}

/**
 * Deletes two rows of a list and waits for the messages; the second row stays, because devices refer to it. The
 * focus is then on the button that shows the failure. `nouns`: the singular and plural of the rows.
 */
export async function deleteOneOfTwo(
  page: Page,
  names: readonly [string, string],
  nouns: readonly [string, string],
  reason: string,
) {
  const before = await total(page)
  await select(page, ...names)
  // The step before may have left a section open that has many controls.
  await openSection(page, 'Info')
  await page.keyboard.press('Delete')
  await confirm(page, /^Delete .+\?$/)
  await expectMessage(page, `Deleted 1 of 2 ${nouns[1]}`)
  await expectMessage(page, reason)
  // The message stays while it contains the focus. One of an earlier step may be left, whose button has another command.
  await tabTo(page, messages(page).locator('[data-command="run.failures"]'))
  await expect.poll(() => total(page)).toBe(before - 1)
}

/** Searches for a command in the palette by its title, and leaves the palette open. */
export async function lookUp(page: Page, title: string) {
  await openPalette(page)
  await enterText(page, `>${title}`)
  await expect(palette(page).getByRole('combobox')).toHaveValue(`>${title}`)
  return palette(page).getByRole('option', { name: new RegExp(`^${title}`) })
}

/** Waits until a message contains a text. */
export const expectMessage = (page: Page, text: string | RegExp) => expect(messages(page)).toContainText(text)

/** Returns the texts of a column in the rendered rows. Scrolls to the column, since only visible ones are rendered. */
export async function columnValues(page: Page, name: string): Promise<string[]> {
  await ready(page)
  const titles = await table(page).getByRole('columnheader').allTextContents()
  const index = titles.findIndex(title => title.replace(/[↑↓]$/, '') === name)
  expect(index, `there is a column ${name}`).toBeGreaterThan(-1)
  await columnHeader(page, name).scrollIntoViewIfNeeded()
  const cells = table(page).locator(`[role=gridcell][aria-colindex="${index + 1}"]`)
  if ((await table(page).getByRole('checkbox').count()) > 1) await cells.first().waitFor()
  return cells.allTextContents()
}
