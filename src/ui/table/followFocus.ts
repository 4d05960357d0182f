/**
 * Moves the DOM focus to the focused row after that has got another index: rows are drawn by their index, so an element that
 * had the focus may show another row now. A row that is gone loses the DOM focus, unless another one is focused before the
 * next frame, as after a page turn: a blur costs a layout. Returns the function that cancels that.
 */
export function followFocus(grid: HTMLElement | null, focusedIndex: number): (() => void) | undefined {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active.role !== 'row' || !grid?.contains(active)) return undefined
  if (Number(active.dataset.index) === focusedIndex) return undefined
  const row = grid.querySelector<HTMLElement>(`[role=row][data-index="${focusedIndex}"]`)
  if (row) {
    row.focus({ preventScroll: true })
    return undefined
  }
  const frame = requestAnimationFrame(() => active.blur())
  return () => cancelAnimationFrame(frame)
}
