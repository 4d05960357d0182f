/** Locators and actions for the calendar. */
import { expect, type Page } from '@playwright/test'
import type { Caller } from './api.ts'
import { enterText, palette, panel } from './devices.ts'
import { signInAt } from './fixtures.ts'

type View = 'month' | 'week' | 'day' | 'agenda'

/** Signs in at the calendar in `view`, as stored from an earlier visit; without `view`, in its default view. */
export async function openCalendar(page: Page, login: string, view?: View) {
  if (view)
    await page.evaluate(chosen => localStorage.setItem('permeate:calendar', JSON.stringify({ view: chosen })), view)
  await signInAt(page, login, '/calendar')
  await calendarShown(page)
}

/** Waits until the calendar is shown with the requested events. */
export async function calendarShown(page: Page) {
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeAttached()
  await settled(page)
}

/** Waits until the requested events are shown. */
export const settled = (page: Page) => expect(page.locator('main [aria-busy=false]')).toBeVisible()

/** Goes to a day with the keyboard. */
export async function goToDay(page: Page, day: string) {
  await page.keyboard.press('Shift+G')
  const field = palette(page).getByRole('combobox', { name: 'Day', exact: true })
  await expect(field).toBeFocused()
  await enterText(page, day)
  await expect(field).toHaveValue(day)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
  await settled(page)
}

/** Finds and selects a device with the key `@`. */
export async function selectDevice(page: Page, bssid: string) {
  await page.keyboard.press('@')
  const field = palette(page).getByRole('combobox', { name: 'Device', exact: true })
  await expect(field).toBeFocused()
  await enterText(page, bssid)
  await expect(palette(page).getByRole('option', { name: bssid })).toHaveAttribute('data-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
}

/** The cell of a day in the month view, by its full name such as `Tuesday, March 4, 2031`. */
export const dayCell = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name},`) })
/** An event in the calendar grid (not in the panel's list). */
export const drawnEvent = (page: Page, title: string) =>
  page.locator('main').getByRole('button', { name: new RegExp(`^${title},`) })
export const slot = (page: Page, time: string, day: string) =>
  page.getByRole('gridcell', { name: new RegExp(`^${time}, ${day}`) })
export const eventForm = (page: Page) => panel(page).getByRole('form', { name: 'Create event' })
export const field = (page: Page, name: string) => eventForm(page).getByRole('textbox', { name, exact: true })

/** Creates an event through the API. */
export async function makeEvent(
  caller: Caller,
  event: { title: string; start: string; end: string; devices: readonly string[] },
) {
  await caller.call('POST', '/api/v3/events', { description: '', ...event })
}
