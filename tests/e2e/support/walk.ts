/** Goes through screens with the keyboard and inspects every control there. */
import type { Page } from '@playwright/test'
import { screenAt, routes, type RouteId } from '../../../src/domain/lists/routes.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { check } from './axe.ts'
import { allCommands, uncoveredControls } from './controls.ts'
import { panel } from './devices.ts'
import { expect } from './fixtures.ts'

/** Returns the screens that a role may open. */
export const routesOf = (role: Role): readonly RouteId[] =>
  (Object.keys(routes) as RouteId[]).filter(id => (routes[id].roles as readonly Role[]).includes(role))

/** Waits until a screen is open and loaded, with the commands of its frame. */
export async function screenShown(page: Page, id: RouteId) {
  await expect(page.getByRole('heading', { level: 1, name: routes[id].title, exact: true })).toBeAttached()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  // The account button renders after all commands have been loaded.
  await expect(page.getByRole('banner').getByRole('button', { name: 'Account' })).toBeVisible()
}

/** Returns the addresses of the calls that were refused with 401 or 403 since the last call of this function. */
const refusedCalls = (page: Page) =>
  page.evaluate(() => {
    const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    performance.clearResourceTimings()
    return calls.filter(({ responseStatus }) => [401, 403].includes(responseStatus)).map(({ name }) => name)
  })

/** Returns steps through the console for a signed-in person, and the problems of the controls found on the way. */
export function walk(page: Page, role: Role) {
  const problems: string[] = []
  let accountMenuSeen = false
  const look = async (where: string) => {
    for (const problem of await uncoveredControls(page, role, screenAt(new URL(page.url()).pathname)))
      problems.push(`${where}: ${problem}`)
  }
  /** Opens a menu or listbox, inspects it, and closes it. */
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
    problems,
    look,
    /** Opens a screen with the keys of its command, or by its address if the role has no such command. No call may be refused. */
    async open(id: RouteId) {
      const { path } = routes[id]
      const go = allCommands().get(`go.${id}`)
      if (go?.roles.includes(role)) {
        // Retries both keys: on a busy machine they may be more than the second apart that a sequence allows.
        await expect(async () => {
          for (const key of go.keys[0]?.split(' ') ?? []) await page.keyboard.press(key)
          await expect(page).toHaveURL(url => url.pathname === path, { timeout: 2000 })
        }).toPass({ timeout: 15_000 })
      } else await page.goto(path)
      await screenShown(page, id)
      // Guards come before reading.
      for (const call of await refusedCalls(page)) problems.push(`${path}: ${call} was refused`)
      await look(path)
    },
    /** Inspects every menu that a button opens; that of the account only once, because all screens have the same. */
    async menus(where: string) {
      const within = accountMenuSeen ? 'main ' : ''
      accountMenuSeen = true
      const buttons = page.locator(`${within}[aria-haspopup=menu]:not([role=grid] *)`).filter({ visible: true })
      for (const button of await buttons.all())
        await lookInto(`${where}, the menu ${await button.innerText()}`, 'menu', () => button.click())
    },
    /** Inspects the menu of the selected row. */
    async rowMenu(where: string) {
      const row = page.getByRole('grid').getByRole('row', { selected: true })
      await lookInto(`${where}, the row’s menu`, 'menu', () => row.click({ button: 'right' }))
    },
    /**
     * Inspects the sections of the panel, with `axe` also by axe. Unless `choices` is false, it also opens each combobox and
     * chooses its first option.
     */
    async tabs(where: string, { axe = false, choices = true } = {}) {
      await expect(panel(page)).toBeVisible()
      for (const tab of await panel(page).getByRole('tab').all()) {
        await tab.click()
        const section = `${where}, ${await tab.innerText()}`
        await look(section)
        if (axe) await check(page, section, 'aside')
        if (!choices) continue
        for (const field of await panel(page).locator('input[role=combobox]:enabled').all()) {
          await field.focus()
          await lookInto(`${section}, choices`, 'listbox', () => page.keyboard.press('ArrowDown'))
          await page.keyboard.press('ArrowDown')
          await expect(page.locator('[role=option]').first()).toBeVisible()
          await page.keyboard.press('Enter')
          await look(`${section}, one chosen`)
          // Leaves the field, in which keys would type text.
          await tab.focus()
        }
      }
    },
  }
}
