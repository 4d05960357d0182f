/** Every control on screen that does something, with the command behind it: as the page itself has them. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { root } from '../../scripts/programs.ts'
import type { Role } from '../../src/domain/roles.ts'

interface CommandFacts {
  readonly id: string
  readonly roles: readonly string[]
  readonly keys: readonly string[]
  readonly keysOnly: boolean
  readonly place?: string
}

let all: ReadonlyMap<string, CommandFacts> | undefined
/** All commands by their ids. */
export function allCommands(): ReadonlyMap<string, CommandFacts> {
  if (!all) {
    const told = execFileSync(process.execPath, [join(root, 'tests/e2e/commandList.mjs')], { encoding: 'utf8' })
    all = new Map((JSON.parse(told) as CommandFacts[]).map(command => [command.id, command]))
  }
  return all
}

export interface Control {
  /** Its role or tag, and its name. */
  readonly name: string
  /** The id of the command that it, or what it is a part of, says is behind it. */
  readonly command: string | undefined
  /** Whether Tab comes to it, or arrow keys from where Tab comes to. */
  readonly reached: boolean
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
    // What belongs to a command as a whole, with all that is in it.
    const wholes = 'form, [role=dialog], [role=alertdialog]'
    // Of these Tab comes to one, and arrow keys go on from there.
    const roving =
      '[role=radiogroup], [role=tablist], [role=menu], [role=listbox], [role=grid], [aria-label=Agenda], .calendar-grid'
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
    // It shows commands; a walk opens it and looks at those.
    const opensMenu = '[aria-haspopup=menu]:not([data-command])'
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
    const commandOf = (element: Element) => {
      const owner = element.closest<HTMLElement>('[data-command]')
      return owner && (owner === element || owner.matches(wholes)) ? owner.dataset.command : undefined
    }
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
      .filter(element => element.matches(controls) || (listens(element) && !element.matches('label, [role=menu]')))
      .filter(element => !element.matches(opensMenu))
      .filter(seen)
      .map(element => {
        // A box's label, or its cell, is pressed as well as the box.
        const pressed = (element instanceof HTMLInputElement && element.closest('label, [data-act]')) || element
        const { x, y, width, height } = pressed.getBoundingClientRect()
        const reaches = (one: Element) => one instanceof HTMLElement && one.tabIndex >= 0 && !one.matches(':disabled')
        return {
          name: nameOf(element),
          command: commandOf(element),
          reached: reaches(element) || [...(element.closest(roving)?.querySelectorAll('*') ?? [])].some(reaches),
          box: { x, y, width, height },
          inSight: pressed.contains(document.elementFromPoint(x + width / 2, y + height / 2)),
          scrolls: scrollsSideways(element),
          inText: element.matches('a') && getComputedStyle(element).display === 'inline',
        }
      })
  })

/** What is wrong with the controls on screen: no command behind one, or no way to it by keys. */
export async function uncovered(page: Page, role: Role, place: string | undefined): Promise<readonly string[]> {
  const commands = allCommands()
  return (await controlsOn(page)).flatMap(({ name, command: id, reached }) => {
    if (id === undefined) return [`${name} has no command behind it`]
    const command = commands.get(id)
    if (!command) return [`${name} names ${id}, which is no command`]
    if (!command.roles.includes(role)) return [`${name} is offered to ${role}, who may not ${id}`]
    const byKeys = command.keys.length > 0 && (command.place === undefined || command.place === place)
    return reached || byKeys || !command.keysOnly ? [] : [`${name} (${id}) cannot be reached by keys`]
  })
}
