/** Keys pressed before their target is ready: they are buffered for it and never reach the list behind it. */
import { clearList, countCalls, loaded, messages, palette, selectedCount } from '../support/devices.ts'
import { expect, signIn, test } from '../support/fixtures.ts'
import { failRequests, holdRequests } from '../support/holdRequests.ts'
import { answer, backToDevices, select } from '../support/lists.ts'

test('keys that are typed while rows, choices or the selection load reach the prompt, and act on what is sure', async ({
  page,
  ownDevices,
}) => {
  test.slow()
  await signIn(page, 'admin')
  await loaded(page)
  await test.step('keys typed while the selection is changing act on the changed selection', async () => {
    const [first, ...others] = (await ownDevices(3)) as [string, ...string[]]
    const flushed = countCalls(page, 'POST', /api\/v3\/jobs$/)
    await select(page, first, ...others)
    /** Removes the first device from the selection, and flushes the selection without waiting for it. */
    const removeAndFlush = async () => {
      await page.keyboard.press('a')
      await page.keyboard.press('/')
      await answer(page, 'Column', 'Device')
      await answer(page, 'Operator', 'equals')
      await expect(palette(page).getByRole('combobox', { name: 'Text', exact: true })).toBeFocused()
      await page.keyboard.type(first)
      await page.keyboard.press('Enter')
      await answer(page, 'How', 'Remove these')
      await page.keyboard.press('f')
    }
    const read = /devices\?.*operator=eq/
    let release = await failRequests(page, read)
    await removeAndFlush()
    await expect(messages(page)).toContainText('“Flush” waits for the selection')
    release()
    await expect(messages(page)).toContainText('“Flush” did not run, because the selection could not be changed')
    await selectedCount(page, 3)

    release = await holdRequests(page, read)
    await removeAndFlush()
    await page.keyboard.press('Enter')
    expect(flushed).toEqual([])
    release()
    await expect(messages(page)).toContainText('Flushing 2 of 2 devices')
    expect(flushed).toEqual([{ body: { command: 'flush', input: {}, ids: others, policy: {} } }])
  })
  await backToDevices(page)
  await test.step('Enter and text that are typed while rows or choices load reach the prompt, and choose only what is sure', async () => {
    await test.step('text typed while all matches are being read goes to the prompt of the command', async () => {
      const selectAll = async () => {
        await page.keyboard.press('Control+Shift+a')
        await expect(page.getByRole('group', { name: 'Selection' })).toContainText('all that match')
      }
      await selectAll()
      const all = /devices\?.*limit=1000/
      let release = await holdRequests(page, all)
      await page.keyboard.press('s')
      await page.keyboard.press('i')
      await page.keyboard.type('120')
      await page.keyboard.press('Enter')
      release()
      await expect(page.getByRole('alertdialog')).toHaveAccessibleName(/^Idle protection/)
      await expect(page).toHaveURL(/\/devices(\?|$)/)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('alertdialog')).toBeHidden()

      // The same from the palette: the text is not added to the search.
      await selectAll()
      release = await holdRequests(page, all)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('idle')
      await expect(palette(page).getByRole('option').first()).toContainText('Idle protection')
      await page.keyboard.press('Enter')
      await page.keyboard.type('90')
      release()
      await expect(palette(page).getByRole('combobox', { name: 'Duration (min)', exact: true })).toHaveValue('90')
    })
    await clearList(page)
    await test.step('Enter pressed before the results have loaded chooses the first result once they have', async () => {
      const release = await holdRequests(page, /devices\/models\?/)
      await page.keyboard.press('a')
      await page.keyboard.press('m')
      await expect(palette(page).getByRole('combobox', { name: 'Model', exact: true })).toBeFocused()
      await page.keyboard.type('family')
      await page.keyboard.press('Enter')
      await expect(palette(page).getByText('Searching…').first()).toBeVisible()
      release()
      await expect(palette(page).getByRole('combobox', { name: 'How', exact: true })).toBeFocused()
    })
    await clearList(page)
    await test.step('Enter on a page with several choices chooses none of them while they are loading', async () => {
      await page.keyboard.press('g')
      await page.keyboard.press('m')
      await expect(page).toHaveURL(/\/models(\?|$)/)
      const release = await holdRequests(page, /\/vendors\?/)
      await page.keyboard.press('c')
      await answer(page, 'Name', 'Held back')
      await answer(page, 'Platform', 'esp32')
      await answer(page, 'Capabilities', 'flush')
      await answer(page, 'Capabilities', '')
      await answer(page, 'Bypass flow rates 1 to 4', '0 0 0 0')
      await expect(palette(page).getByRole('combobox', { name: 'Vendors', exact: true })).toBeFocused()
      await expect(palette(page).getByRole('option', { name: 'None' })).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Enter')
      await expect(palette(page).getByRole('alert')).toHaveText('At least one vendor must be selected')
      release()
      await expect(palette(page).getByRole('option', { name: /^vendor3/ })).toBeVisible()
      await expect(palette(page).getByRole('option', { name: 'None' })).toHaveAttribute('aria-selected', 'true')
    })
  })
})

test('text typed right after mod+k shows, and goes to the palette, even if the palette is still loading', async ({
  page,
}) => {
  const release = await holdRequests(page, '**/assets/palette-*.js')
  await signIn(page, 'admin')
  await loaded(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('>dsr')
  for (const key of ['Backspace', 'Backspace', 'a', 'r', 'k']) await page.keyboard.press(key)
  await expect(page.getByText('>dark', { exact: true })).toBeVisible()
  await expect(page.getByText('Loading the commands…')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Loading the commands…')).toBeHidden()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('>dark')
  await page.keyboard.press('Enter')
  release()
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
  await expect(palette(page)).toBeHidden()
  await expect(page).toHaveURL(/\/devices(\?|$)/)
})
