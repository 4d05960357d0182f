/** Measures how wide a column has to be for its content. */
import { trackVariables } from './tracks.ts'

const nextFrame = () => new Promise(resolve => requestAnimationFrame(resolve))

/**
 * Returns the width in pixels of the widest content of a column, among its header and the rendered rows; undefined if the
 * table does not show the column. Scrolls to it first, as columns outside the viewport are not rendered.
 */
export async function contentWidth(column: string): Promise<number | undefined> {
  const table = document.querySelector<HTMLElement>('[role=grid]')
  const cells = () => [...(table?.querySelectorAll<HTMLElement>(`[data-column="${CSS.escape(column)}"]`) ?? [])]
  const [head] = cells()
  if (!table || !head) return undefined
  head.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  await nextFrame()
  await nextFrame()
  const heads = [...table.querySelectorAll<HTMLElement>('[role=columnheader][data-column]')]
  const columns = heads.map(cell => ({ id: cell.dataset.column!, width: cell.offsetWidth, fixed: true }))
  const before = table.style.cssText
  // In a track as wide as its content, a cell has the width that it needs.
  const fitted = trackVariables(columns, Number(table.dataset.sticky), column)
  for (const [name, value] of Object.entries(fitted)) table.style.setProperty(name, value)
  const width = Math.max(...cells().map(cell => cell.getBoundingClientRect().width))
  table.style.cssText = before
  return Math.ceil(width)
}
