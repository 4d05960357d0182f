/** End users, with the keyboard alone: block, unblock, delete by typing DELETE; there is no way to create them. */
import { expect, test } from '../support/fixtures.ts'
import {
  countCalls,
  columnHeader,
  lookUp,
  openSection,
  panel,
  selectedTableRows,
  rowOf,
  expectMessage,
  select,
  signInAtList,
  table,
  total,
  clearList,
} from '../support/lists.ts'

/** End users of the demo, each changed by one test only. */
const people = { block: 'priya.raman@example.com', remove: 'olu.adeyemi@example.com', keep: 'mei.tanaka@example.com' }

test('users are listed, blocked, unblocked, and deleted only if DELETE is typed; they cannot be created or edited', async ({
  page,
}) => {
  test.slow()
  await signInAtList(page, 'admin', 'users')
  await test.step('the list of users shows their names, their status and whether their email is confirmed', async () => {
    for (const name of ['Email', 'Email confirmed', 'Status', 'First name', 'Last name', 'Created', 'Updated'])
      await expect(columnHeader(page, name)).toBeVisible()
    await expect(table(page).getByRole('row').filter({ hasText: people.keep })).toContainText('Yes')
    await expect(rowOf(page, people.keep)).toContainText('Blocked')
  })
  await clearList(page)
  await test.step('a user is blocked and unblocked', async () => {
    const calls = countCalls(page, 'PUT', /\/users\/change-status$/)
    await page.keyboard.press('l')
    await expectMessage(page, 'At least one account must be selected')
    await select(page, people.block)
    await page.keyboard.press('l')
    await expectMessage(page, 'Blocked 1 of 1 user')
    await expect(rowOf(page, people.block)).toContainText('Blocked')
    await page.keyboard.press('u')
    await expectMessage(page, 'Unblocked 1 of 1 user')
    await expect(rowOf(page, people.block)).toContainText('Active')
    const ids = [expect.any(String)]
    expect(calls).toEqual([{ body: { ids, status: true } }, { body: { ids, status: false } }])
  })
  await clearList(page)
  await test.step('Esc cancels the deletion of a user', async () => {
    const calls = countCalls(page, 'DELETE', /\/users/)
    await select(page, people.keep)
    await page.keyboard.press('Backspace')
    await expect(page.getByRole('textbox', { name: 'Type DELETE to confirm' })).toBeFocused()
    await page.keyboard.type('DELETE')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(rowOf(page, people.keep)).toHaveAttribute('aria-selected', 'true')
    expect(calls).toEqual([])
  })
  await clearList(page)
  await test.step('users cannot be created or edited, and no control offers it', async () => {
    await select(page, people.keep)
    await openSection(page, 'Control')
    await expect(panel(page).getByRole('tab')).toHaveText(['Info', 'Control'])
    await expect(panel(page).getByRole('button', { name: /^(Block|Unblock|Delete)/ })).toHaveCount(3)
    for (const key of ['c', 'Shift+E']) await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('search').getByRole('button', { name: /Create/ })).toHaveCount(0)
    await expect(await lookUp(page, 'Create a user')).toHaveCount(0)
  })
  await clearList(page)
  await test.step('a user is deleted only if DELETE is typed in capitals', async () => {
    const calls = countCalls(page, 'DELETE', /\/users$/)
    const before = await total(page)
    await select(page, people.remove)
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('alertdialog', { name: /^Delete .+@/ })
    const typed = dialog.getByRole('textbox', { name: 'Type DELETE to confirm' })
    const button = dialog.getByRole('button', { name: /^Delete 1 user/ })
    await expect(typed).toBeFocused()
    for (const other of ['', 'delete']) {
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await page.keyboard.type(other)
      await expect(button).toBeDisabled()
      await page.keyboard.press('Enter')
      await expect(dialog).toBeVisible()
    }
    expect(calls).toEqual([])
    await page.keyboard.press('Control+a')
    await page.keyboard.type('DELETE')
    await expect(button).toBeEnabled()
    await page.keyboard.press('Enter')
    await expectMessage(page, 'Deleted 1 of 1 user')
    await expect(rowOf(page, people.remove)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect.poll(() => total(page)).toBe(before - 1)
    await expect(selectedTableRows(page)).toHaveCount(0)
    expect(calls).toHaveLength(1)
  })
})
