/** Finds the controls on screen and the commands behind them, from the page's DOM. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { root } from '../../../scripts/programs.ts'
import { roles, type Role } from '../../../src/domain/roles.ts'

interface CommandFacts {
  readonly id: string
  readonly roles: readonly string[]
  readonly keys: readonly string[]
  readonly keysOnly: boolean
  readonly screen?: string
}

let all: ReadonlyMap<string, CommandFacts> | undefined
/** Returns all commands by id. */
export function allCommands(): ReadonlyMap<string, CommandFacts> {
  if (!all) {
    const json = execFileSync(process.execPath, [join(root, 'tests/e2e/support/commandList.mjs')], { encoding: 'utf8' })
    all = new Map((JSON.parse(json) as CommandFacts[]).map(command => [command.id, command]))
  }
  return all
}

export interface Control {
  /** The control's role or tag, and its accessible name. */
  readonly name: string
  /** The id of the command in its `data-command`, or in that of its form or dialog. */
  readonly command: string | undefined
  /** Whether Tab reaches it, or arrow keys from a control that Tab reaches. True for a disabled control. */
  readonly reachable: boolean
  /** Whether its command has no key here: it is part of a form, or in a dialog, where the keys of commands do not work. */
  readonly onlyWay: boolean
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  /** Its visible text, unless its accessible name contains it (WCAG 2.5.3), with that name. */
  readonly unnamedText: string | undefined
  /** Whether it is in a dense part, in which targets may be smaller: a table, the calendar or a chart. */
  readonly isDense: boolean
  /** Whether it is a cell of a calendar. */
  readonly isCell: boolean
  /** Whether a click on its centre hits it: it is neither covered nor scrolled out of view. */
  readonly inSight: boolean
  /** Whether it is in a container that scrolls horizontally. */
  readonly scrolls: boolean
  /** Whether it is a link within a text, so that the text sets its size. */
  readonly inText: boolean
}

/** Returns all visible controls: elements that are controls by tag or role, and those with event handlers. */
export const controlsOn = (page: Page): Promise<readonly Control[]> =>
  page.evaluate(() => {
    const controls =
      'button, a[href], input, select, textarea, summary, [draggable=true], [contenteditable=true], ' +
      [
        'button',
        'link',
        'menuitem',
        'menuitemcheckbox',
        'menuitemradio',
        'tab',
        'radio',
        'checkbox',
        'switch',
        'slider',
      ]
        .concat('option', 'combobox', 'application')
        .map(role => `[role=${role}]`)
        .join(', ')
    // The days and times of the calendar.
    const cells = '[role=gridcell][tabindex]'
    const dialogs = '[role=dialog], [role=alertdialog]'
    const fields =
      'input:not([type=button], [type=submit], [type=reset], [type=image]), select, textarea, ' +
      '[role=radiogroup] > [role=radio]'
    // Groups with one tab stop, in which arrow keys move the focus.
    const roving = '[role=radiogroup], [role=tablist], [role=menu], [role=grid], [aria-label=Agenda], .calendar-grid'
    const handled = [
      'onClick',
      'onDoubleClick',
      'onContextMenu',
      'onDrop',
      'onPointerDown',
      'onMouseDown',
      'onTouchStart',
      'onChange',
    ]
    const listens = (element: Element) => {
      const key = Object.keys(element).find(name => name.startsWith('__reactProps$'))
      const props = key === undefined ? {} : (element as unknown as Record<string, Record<string, unknown>>)[key]
      return handled.some(name => typeof props?.[name] === 'function')
    }
    const isVisible = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      const { pointerEvents } = getComputedStyle(element)
      return (
        width > 1 &&
        height > 1 &&
        pointerEvents !== 'none' &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      )
    }
    // The form or dialog that a control is part of. In a form: its fields and its submit button. In a dialog: the
    // controls that close it as Esc does, and those that expand a part of it.
    const ownerOf = (element: Element): Element | null => {
      const form = element.closest('form')
      if (form && (element.matches(fields) || element === form.querySelector('[type=submit]')))
        return form.matches('[data-command]') ? form : form.closest(dialogs)
      const dialog = element.closest(dialogs)
      const expanded = element.matches('[aria-expanded]:not([aria-haspopup])') && element.getAttribute('aria-controls')
      return element.matches('[data-closes]') || (expanded && dialog?.querySelector(`[id="${expanded}"]`))
        ? dialog
        : null
    }
    const commandOf = (element: Element) =>
      element.getAttribute('data-command') ?? ownerOf(element)?.getAttribute('data-command') ?? undefined
    const takesFocus = (element: Element | null | undefined) =>
      element instanceof HTMLElement && element.tabIndex >= 0 && !element.matches(':disabled')
    // Looked up once for each group, because the grid of keys has hundreds of controls.
    const groupsWithStop = new Map<Element, boolean>()
    const hasStop = (group: Element) => {
      const known = groupsWithStop.get(group) ?? [group, ...group.querySelectorAll('*')].some(takesFocus)
      groupsWithStop.set(group, known)
      return known
    }
    const isReachable = (element: Element) => {
      if (takesFocus(element) || element.matches(':disabled')) return true
      const group = element.closest(roving)
      if (group) return hasStop(group)
      // Arrow keys in a combobox move through its list.
      const list = element.closest('[role=listbox]')
      return list !== null && takesFocus(document.querySelector(`[role=combobox][aria-controls="${list.id}"]`))
    }
    // Elements of a library that have handlers but are not controls.
    const ignored = 'label, [role=menu], [role=listbox], [id^=headlessui-dialog-panel]'
    const nameOf = (element: Element) => {
      const text = element.getAttribute('aria-label') ?? element.textContent
      const kind = element.getAttribute('role') ?? element.tagName.toLowerCase()
      return `${kind} “${text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)}”`
    }
    const words = (text: string) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
    // The text of a control's own parts. Keys that it shows are no part of its label.
    const textOf = (element: Element, counts: (parent: Element) => boolean) => {
      const texts: string[] = []
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement
        if (
          parent?.closest('kbd, option, style') === null &&
          parent.closest(`${controls}, ${cells}`) === element &&
          counts(parent)
        )
          texts.push(walker.currentNode.textContent ?? '')
      }
      return words(texts.join(' '))
    }
    const labelledBy = (element: Element) =>
      element
        .getAttribute('aria-labelledby')
        ?.split(' ')
        .map(id => document.getElementById(id)?.textContent ?? '')
        .join(' ')
    const unnamedText = (element: Element) => {
      const text = textOf(element, parent => isVisible(parent) && parent.getBoundingClientRect().width > 1)
      const name = words(
        labelledBy(element) ??
          element.getAttribute('aria-label') ??
          textOf(element, parent => !element.contains(parent.closest('[aria-hidden=true]'))),
      )
      return ` ${name} `.includes(` ${text} `) || text === '' ? undefined : `“${text}” is not in its name “${name}”`
    }
    const scrollsSideways = (element: Element) => {
      for (let up = element.parentElement; up; up = up.parentElement)
        if (up.scrollWidth > up.clientWidth && /auto|scroll/.test(getComputedStyle(up).overflowX)) return true
      return false
    }
    return [...document.body.querySelectorAll('*')]
      .filter(element => element.matches(`${controls}, ${cells}`) || (listens(element) && !element.matches(ignored)))
      .filter(isVisible)
      .map(element => {
        // A click on a checkbox's label or cell acts on the checkbox.
        const pressed = (element instanceof HTMLInputElement && element.closest('label, [data-act]')) || element
        const { x, y, width, height } = pressed.getBoundingClientRect()
        return {
          name: nameOf(element),
          command: commandOf(element),
          reachable: isReachable(element),
          onlyWay: !element.hasAttribute('data-command') || element.closest(dialogs) !== null,
          box: { x, y, width, height },
          unnamedText: unnamedText(element),
          isCell: element.matches(cells),
          isDense: element.closest('[role=grid], .calendar-grid, [role=application]') !== null,
          inSight: pressed.contains(document.elementFromPoint(x + width / 2, y + height / 2)),
          scrolls: scrollsSideways(element),
          inText: element.matches('a') && getComputedStyle(element).display === 'inline',
        }
      })
  })

/** A saved script is a command of the person who saved it, in addition to the commands in the registry. */
const saved = { roles: roles as readonly string[], keys: [], keysOnly: false, screen: undefined }
const savedId = /^script\.[\w-]+$/

/**
 * Returns the problems of the controls on screen: one without a command, one that keys cannot reach, or one whose name
 * lacks its visible text.
 */
export async function uncoveredControls(
  page: Page,
  role: Role,
  screen: string | undefined,
): Promise<readonly string[]> {
  const commands = allCommands()
  return (await controlsOn(page)).flatMap(({ name, command: id, reachable, onlyWay, unnamedText }) => {
    if (unnamedText !== undefined) return [`${name}: ${unnamedText}`]
    if (id === undefined) return [`${name} has no command behind it`]
    const command = savedId.test(id) ? saved : commands.get(id)
    if (!command) return [`${name} names ${id}, which is no command`]
    if (!command.roles.includes(role)) return [`${name} is offered to ${role}, who may not ${id}`]
    const byKeys = command.keys.length > 0 && (command.screen === undefined || command.screen === screen)
    const otherwise = !onlyWay && (byKeys || !command.keysOnly)
    return reachable || otherwise ? [] : [`${name} (${id}) cannot be reached by keys`]
  })
}
