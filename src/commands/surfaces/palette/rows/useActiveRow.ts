import { useLayoutEffect, type KeyboardEvent, type RefObject } from 'react'

const watchedAttributes = ['aria-selected', 'aria-activedescendant', 'id']

/**
 * Keeps the input's aria-activedescendant on the active row, for screen readers. cmdk sets it only after a key press, not
 * when results arrive and the first row becomes active.
 */
export function useActiveRow(root: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = root.current
    if (!element) return undefined
    const update = () => {
      const input = element.querySelector('[role=combobox]')
      const active = element.querySelector('[role=option][aria-selected=true]')?.id
      if (!input || (input.getAttribute('aria-activedescendant') ?? undefined) === active) return
      if (active === undefined) input.removeAttribute('aria-activedescendant')
      else input.setAttribute('aria-activedescendant', active)
    }
    const observer = new MutationObserver(update)
    observer.observe(element, { subtree: true, childList: true, attributes: true, attributeFilter: watchedAttributes })
    update()
    return () => observer.disconnect()
  }, [root])
}

const rowsIn = (root: HTMLElement | null): HTMLElement[] =>
  Array.from(root?.querySelectorAll<HTMLElement>('[role=option]') ?? [])

/** Clicks the active row, like Enter. */
export const clickActiveRow = (root: HTMLElement | null): void =>
  rowsIn(root)
    .find(row => row.ariaSelected === 'true')
    ?.click()

/** Moves to another row by arrow keys, Home and End; other keys do nothing. Blocked commands are included, which cmdk would skip. */
export function moveByKey(event: KeyboardEvent, root: HTMLElement | null, onMove: (value: string) => void): void {
  const rows = rowsIn(root)
  const index = rows.findIndex(row => row.ariaSelected === 'true')
  const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (to === undefined || event.altKey || event.metaKey || rows.length === 0) return
  event.preventDefault()
  const row = rows.at(to % rows.length)
  row?.scrollIntoView({ block: 'nearest' })
  onMove(row?.dataset['value'] ?? '')
}
