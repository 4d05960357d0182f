/** Every control on screen that does something, with the command behind it: as the page itself has them. */
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
/** All commands by their ids. */
export function allCommands(): ReadonlyMap<string, CommandFacts> {
  if (!all) {
    const told = execFileSync(process.execPath, [join(root, 'tests/e2e/support/commandList.mjs')], { encoding: 'utf8' })
    all = new Map((JSON.parse(told) as CommandFacts[]).map(command => [command.id, command]))
  }
  return all
}

export interface Control {
  /** Its role or tag, and its name. */
  readonly name: string
  /** The id of the command that it says is behind it, or that of the form or dialog of which it is a part. */
  readonly command: string | undefined
  /** Whether Tab comes to it, or arrow keys from where Tab comes to; what is disabled does nothing to be reached. */
  readonly reached: boolean
  /** Whether no other way leads to it: it is a mere part, or lies in a dialog, which keeps the keys of commands away. */
  readonly onlyThere: boolean
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  /** Whether a press on its middle comes to it: nothing lies over it, and it is not scrolled out of sight. */
  readonly inSight: boolean
  /** Whether it scrolls into view by itself: it lies in something that scrolls sideways. */
  readonly scrolls: boolean
  /** A word in a text, whose size is the text's. */
  readonly inText: boolean
}

/** Every control in sight: by what it is, and by what listens to presses on it. */
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
    const dialogs = '[role=dialog], [role=alertdialog]'
    const fields =
      'input:not([type=button], [type=submit], [type=reset], [type=image]), select, textarea, ' +
      '[role=radiogroup] > [role=radio]'
    // Of these Tab comes to one, and arrow keys go on from there.
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
    const seen = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      const { pointerEvents } = getComputedStyle(element)
      return (
        width > 1 &&
        height > 1 &&
        pointerEvents !== 'none' &&
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      )
    }
    // Of a form that belongs to a command, or stands in a dialog that does: what is filled in, and the button that
    // submits it. Of such a dialog: what does as Esc does, and what only shows more of it. Nothing else.
    const wholeOf = (element: Element): Element | null => {
      const form = element.closest('form')
      if (form && (element.matches(fields) || element === form.querySelector('[type=submit]')))
        return form.matches('[data-command]') ? form : form.closest(dialogs)
      const dialog = element.closest(dialogs)
      const shows = element.matches('[aria-expanded]:not([aria-haspopup])') && element.getAttribute('aria-controls')
      return element.matches('[data-closes]') || (shows && dialog?.querySelector(`[id="${shows}"]`)) ? dialog : null
    }
    const commandOf = (element: Element) =>
      element.getAttribute('data-command') ?? wholeOf(element)?.getAttribute('data-command') ?? undefined
    const takesFocus = (element: Element | null | undefined) =>
      element instanceof HTMLElement && element.tabIndex >= 0 && !element.matches(':disabled')
    const reaches = (element: Element) => {
      if (takesFocus(element) || element.matches(':disabled')) return true
      const group = element.closest(roving)
      if (group) return [group, ...group.querySelectorAll('*')].some(takesFocus)
      // The arrow keys of a field go through its list.
      const list = element.closest('[role=listbox]')
      return list !== null && takesFocus(document.querySelector(`[role=combobox][aria-controls="${list.id}"]`))
    }
    // What of a library's own listens, and does nothing that a person would want.
    const mute = 'label, [role=menu], [role=listbox], [id^=headlessui-dialog-panel]'
    // It shows commands, no command shows it; a walk opens it and looks at those.
    const account = 'header [aria-haspopup=menu][aria-label=Account]'
    const nameOf = (element: Element) => {
      const text = element.getAttribute('aria-label') ?? element.textContent
      const kind = element.getAttribute('role') ?? element.tagName.toLowerCase()
      return `${kind} “${text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)}”`
    }
    const scrollsSideways = (element: Element) => {
      for (let up = element.parentElement; up; up = up.parentElement)
        if (up.scrollWidth > up.clientWidth && /auto|scroll/.test(getComputedStyle(up).overflowX)) return true
      return false
    }
    return [...document.body.querySelectorAll('*')]
      .filter(element => element.matches(controls) || (listens(element) && !element.matches(mute)))
      .filter(element => !(element.matches(account) && takesFocus(element)))
      .filter(seen)
      .map(element => {
        // A box's label, or its cell, is pressed as well as the box.
        const pressed = (element instanceof HTMLInputElement && element.closest('label, [data-act]')) || element
        const { x, y, width, height } = pressed.getBoundingClientRect()
        return {
          name: nameOf(element),
          command: commandOf(element),
          reached: reaches(element),
          onlyThere: !element.hasAttribute('data-command') || element.closest(dialogs) !== null,
          box: { x, y, width, height },
          inSight: pressed.contains(document.elementFromPoint(x + width / 2, y + height / 2)),
          scrolls: scrollsSideways(element),
          inText: element.matches('a') && getComputedStyle(element).display === 'inline',
        }
      })
  })

/** A script that a person has saved is a command of that person’s, in the palette, besides all these. */
const saved = { roles: roles as readonly string[], keys: [], keysOnly: false, screen: undefined }
const savedId = /^script\.[\w-]+$/

/** What is wrong with the controls on screen: no command behind one, or no way to it by keys. */
export async function uncovered(page: Page, role: Role, screen: string | undefined): Promise<readonly string[]> {
  const commands = allCommands()
  return (await controlsOn(page)).flatMap(({ name, command: id, reached, onlyThere }) => {
    if (id === undefined) return [`${name} has no command behind it`]
    const command = savedId.test(id) ? saved : commands.get(id)
    if (!command) return [`${name} names ${id}, which is no command`]
    if (!command.roles.includes(role)) return [`${name} is offered to ${role}, who may not ${id}`]
    const byKeys = command.keys.length > 0 && (command.screen === undefined || command.screen === screen)
    const otherwise = !onlyThere && (byKeys || !command.keysOnly)
    return reached || otherwise ? [] : [`${name} (${id}) cannot be reached by keys`]
  })
}
