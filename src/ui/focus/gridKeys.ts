/** Arrow keys in a grid whose rows have buttons: the grid is one tab stop (WAI-ARIA's grid pattern). */
import type { KeyboardEvent } from 'react'

/** The rows that Page Up and Page Down pass. */
const pageRows = 10

/**
 * Moves the focus from button to button: up and down between the rows, left and right within a row, Home and End to the
 * first and last row. Keys with a modifier and keys at an edge do nothing.
 */
export function moveInGrid(event: KeyboardEvent<HTMLElement>): void {
  const button = event.target
  if (!(button instanceof HTMLButtonElement) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const rows = [...event.currentTarget.querySelectorAll('tr')].map(buttonsOf).filter(buttons => buttons.length > 0)
  const row = rows.findIndex(buttons => buttons.includes(button))
  const column = rows[row]?.indexOf(button) ?? 0
  const last = rows.length - 1
  const targets: Readonly<Record<string, readonly [row: number, column: number]>> = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    PageUp: [Math.max(row - pageRows, 0), column],
    PageDown: [Math.min(row + pageRows, last), column],
    Home: [0, column],
    End: [last, column],
  }
  const target = targets[event.key]
  if (row < 0 || !target) return
  event.preventDefault()
  event.stopPropagation()
  rows[target[0]]?.[target[1]]?.focus()
}

const buttonsOf = (row: HTMLTableRowElement): readonly HTMLButtonElement[] => [...row.querySelectorAll('button')]
