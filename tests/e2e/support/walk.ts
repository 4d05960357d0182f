/** Going through screens as a person with keys does, and looking at every control there. */
import type { Page } from '@playwright/test'
import { screenAt, routes, type RouteId } from '../../../src/domain/lists/routes.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { allCommands, uncovered } from './controls.ts'
import { panel } from './devices.ts'
import { expect } from './fixtures.ts'

/** The screens that a role may see. */
export const routesOf = (role: Role): readonly RouteId[] =>
  (Object.keys(routes) as RouteId[]).filter(id => (routes[id].roles as readonly Role[]).includes(role))

/** A walk of someone who has signed in; what is wrong with the controls seen on it is noted. */
export function walk(page: Page, role: Role) {
  const wrong: string[] = []
  const look = async (where: string) => {
    for (const problem of await uncovered(page, role, screenAt(new URL(page.url()).pathname)))
      wrong.push(`${where}: ${problem}`)
  }
  /** Opens what offers a menu, or a list of choices, looks at it, and closes it. */
  const lookInto = async (where: string, kind: 'menu' | 'listbox', open: () => Promise<void>) => {
    const opened = page.getByRole(kind)
    await open()
    await expect(opened).toBeVisible()
    await expect(opened.locator('[role^=menuitem], [role=option]').first()).toBeVisible()
    await look(where)
    await page.keyboard.press('Escape')
    await expect(opened).toHaveCount(0)
  }
  return {
    wrong,
    look,
    /** Goes to a screen by the keys of its command, or by its address where the role is not shown the way. */
    async open(id: RouteId) {
      const { path, title } = routes[id]
      const go = allCommands().get(`go.${id}`)
      if (go?.roles.includes(role)) {
        // On a busy machine the time between both keys may be too long for a sequence: they are pressed once more.
        await expect(async () => {
          for (const key of go.keys[0]?.split(' ') ?? []) await page.keyboard.press(key)
          await expect(page).toHaveURL(url => url.pathname === path, { timeout: 2000 })
        }).toPass({ timeout: 15_000 })
      } else await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeAttached()
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
      // Loaded last of all, after every command.
      await expect(page.getByRole('button', { name: 'Account' })).toBeVisible()
      await look(path)
    },
    /** What the menus offer that buttons open. */
    async menus(where: string) {
      const buttons = page.locator('[aria-haspopup=menu]:not([role=grid] *)').filter({ visible: true })
      for (const button of await buttons.all())
        await lookInto(`${where}, the menu ${await button.innerText()}`, 'menu', () => button.click())
    },
    /** The menu of a row. */
    async rowMenu(where: string) {
      const row = page.getByRole('grid').getByRole('row', { selected: true })
      await lookInto(`${where}, the row’s menu`, 'menu', () => row.click({ button: 'right' }))
    },
    /** The sections of the panel, and in them what there is to choose from; of that, the first is chosen. */
    async tabs(where: string) {
      await expect(panel(page)).toBeVisible()
      for (const tab of await panel(page).getByRole('tab').all()) {
        await tab.click()
        const section = `${where}, ${await tab.innerText()}`
        await look(section)
        for (const field of await panel(page).locator('input[role=combobox]:enabled').all()) {
          await field.focus()
          await lookInto(`${section}, choices`, 'listbox', () => page.keyboard.press('ArrowDown'))
          await page.keyboard.press('ArrowDown')
          await expect(page.locator('[role=option]').first()).toBeVisible()
          await page.keyboard.press('Enter')
          await look(`${section}, one chosen`)
          // Out of the field, where keys are text.
          await tab.focus()
        }
      }
    },
  }
}
