/** Key sequences, the palette, the list of all keys, panel keys; and the data that a vendor sees. */
import { expect, logOut, signIn, test, visit } from '../support/fixtures.ts'
import {
  columnValues,
  grid,
  loaded,
  openPalette,
  palette,
  panel,
  searchFor,
  statusBar,
  clearList,
} from '../support/devices.ts'
import { holdRequests } from '../support/holdRequests.ts'
import { backToDevices } from '../support/lists.ts'

test('keys and sequences open screens, the palette, the list of all keys, panel, navigation and devices, and a vendor sees only own devices', async ({
  page,
}) => {
  test.slow()
  const release = await holdRequests(page, '**/assets/deferred-*.js')
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('text typed after mod+k before all commands are loaded runs no command on the list', async () => {
    // The commands that are loaded with the first rows run at once.
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(grid(page).getByRole('row', { selected: true })).toHaveCount(1)
    const commands: string[] = []
    page.on('request', request => {
      if (/devices\/(lock|flush)/.test(request.url())) commands.push(request.url())
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('lfu')
    release()
    await expect(palette(page).getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
    // The keys of deferred commands work now.
    await page.keyboard.press('e')
    await expect(palette(page).getByRole('combobox', { name: 'File', exact: true })).toBeFocused()
    expect(commands).toEqual([])
  })
  await backToDevices(page)
  await test.step('keys and sequences open screens, the palette, the list of all keys, panel and navigation, and the focus returns', async () => {
    await test.step('mod+k opens and closes the palette, and the focus returns to the row', async () => {
      await page.keyboard.press('Home')
      const row = grid(page).getByRole('row').nth(1)
      await expect(row).toBeFocused()
      await page.keyboard.press('Control+k')
      await expect(palette(page).getByRole('combobox')).toBeFocused()
      await page.keyboard.press('Control+k')
      await expect(palette(page)).toBeHidden()
      await expect(row).toBeFocused()
    })
    await clearList(page)
    await test.step('a key sequence opens a screen or a command, and the status bar shows its first key', async () => {
      await page.keyboard.press('g')
      await expect(statusBar(page)).toContainText('g …')
      await page.keyboard.press('c')
      await expect(page).toHaveURL(/\/charts(\?|$)/)
      await expect(page.getByRole('heading', { level: 1, name: 'Charts' })).toBeFocused()
      await expect(statusBar(page)).not.toContainText('…')
      await page.keyboard.press('g')
      await page.keyboard.press('d')
      await expect(page).toHaveURL(/\/devices(\?|$)/)

      await page.keyboard.press('j')
      await page.keyboard.press('s')
      await expect(statusBar(page)).toContainText('s …')
      await page.keyboard.press('f')
      await expect(palette(page).getByRole('combobox', { name: 'Smart flush', exact: true })).toBeFocused()
    })
    await clearList(page)
    await test.step('> limits the palette to commands and @ to devices, and Enter runs the chosen command', async () => {
      await openPalette(page)
      await page.keyboard.type('>dark')
      await expect(palette(page).getByRole('option')).toHaveText([/^Switch theme/])
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
      await openPalette(page)
      await page.keyboard.type('@labor')
      await expect(palette(page).getByRole('option').first()).toContainText('Laboratory')
      await expect(palette(page).getByRole('group')).toHaveCount(1)
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText('nothing is called that')
      await expect(palette(page).getByRole('listbox')).toHaveText('No results.')
    })
    await clearList(page)
    await test.step('? lists all keys, which can be searched by command and by key', async () => {
      await page.keyboard.press('?')
      const sheet = page.getByRole('dialog', { name: 'All keys' })
      await expect(sheet.getByRole('searchbox', { name: 'Search keys' })).toBeFocused()
      const terms = sheet.getByRole('term')
      expect(await terms.count()).toBeGreaterThan(40)
      await page.keyboard.type('reboot')
      await expect(terms).toHaveText(['Reboot'])
      await page.keyboard.press('Control+a')
      await page.keyboard.type('g q')
      await expect(terms).toHaveText(['Logout'])
      await page.keyboard.press('Escape')
      await expect(sheet).toBeHidden()
    })
    await clearList(page)
    await test.step('keys resize and close the panel and collapse the navigation', async () => {
      const width = async () => (await panel(page).boundingBox())?.width
      await expect.poll(width).toBe(450)
      await page.keyboard.press('\\')
      await expect.poll(width).toBe(300)
      await page.keyboard.press('\\')
      await expect.poll(width).toBe(650)
      await page.keyboard.press('i')
      await expect(panel(page)).toHaveCount(0)
      await page.keyboard.press('i')
      await expect(panel(page)).toBeVisible()
      const navigation = page.getByRole('navigation', { name: 'Main' })
      expect((await navigation.boundingBox())?.width).toBe(216)
      await page.keyboard.press('Control+b')
      await expect.poll(async () => (await navigation.boundingBox())?.width).toBeLessThan(60)
      await expect(navigation.getByRole('link', { name: 'Calendar' })).toBeVisible()
    })
  })
  await backToDevices(page)
  await test.step('Enter opens a device, and a vendor sees only own devices in the list, the palette and by address', async () => {
    const all = Number(await grid(page).getAttribute('aria-rowcount'))
    await test.step('Enter opens the screen of a device, and an unknown device is reported as not found', async () => {
      await searchFor(page, '30:AE:A4:00', 2)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/devices\/30:AE:A4:00:63:73$/)
      await expect(page).toHaveTitle('30:AE:A4:00:63:73 · Permeate')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('30:AE:A4:00:63:73')
      await expect(page.getByRole('meter').first()).toBeVisible()
      await visit(page, '/devices/02:00:00:00:00:FF')
      await expect(page.getByRole('main').getByRole('alert')).toHaveText('Device not found')
    })
    await test.step('a vendor sees only own devices in the list, the palette and by address', async () => {
      const foreign = '30:AE:A4:04:74:8C'
      await logOut(page)
      await signIn(page, 'vendor2')
      await loaded(page)
      const own = Number(await grid(page).getAttribute('aria-rowcount'))
      expect(own).toBeGreaterThan(20)
      expect(own).toBeLessThan(all / 2)
      expect(new Set(await columnValues(page, 'Company'))).toEqual(new Set(['Blue Ridge Filtration']))
      await searchFor(page, foreign, 0)
      await page.keyboard.press('Escape')
      await openPalette(page)
      const search = page.waitForResponse(/search=[^&]+&column=bssid/)
      await page.keyboard.insertText(`@${foreign}`)
      await search
      await expect(palette(page).getByRole('listbox')).toHaveText('No results.')
      await page.keyboard.press('Escape')
      await page.goto(`/devices/${foreign}`)
      await expect(page.getByRole('main').getByRole('alert')).toHaveText('Device not found')
    })
  })
})
