/** The rows of a table: which of them render, and where the DOM focus is when they change. */
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DataTable } from '../../../../src/ui/table/DataTable.tsx'

interface Unit {
  readonly id: string
}
const cell = vi.fn<(row: Unit) => string>(({ id }) => id)
const columns = [{ id: 'id', title: 'id', width: 100, cell }]
const selected = new Set<string>()
const listeners = new Set<() => void>()
const selection = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  colourOf: (id: string) => (selected.has(id) ? 'red' : undefined),
}
const nothing = () => undefined
const mayLoad = () => Promise.resolve()
const handlers = {
  onSort: nothing,
  onWidth: nothing,
  onFit: nothing,
  onMove: nothing,
  onToggleAll: nothing,
  onToggle: nothing,
  onFocus: nothing,
  onOpen: nothing,
  onMenu: nothing,
  onDragged: nothing,
}

interface Shown {
  readonly ids: readonly string[]
  readonly focused?: string
  readonly moves?: number
  readonly stale?: boolean
}

function Units({ ids, focused, moves = 0, stale = false }: Shown) {
  return (
    <DataTable<Unit>
      {...handlers}
      label="Units"
      expectedSize={{ width: 800, height: 600 }}
      mayLoad={mayLoad}
      columns={columns}
      pinned={1}
      limits={{ min: 48, max: 500 }}
      rowHeight={33}
      rows={ids.map(id => ({ id }))}
      ids={ids}
      nameOf={({ id }) => id}
      count={ids.length}
      offset={0}
      selection={selection}
      selectedCount={0}
      focused={focused}
      moves={moves}
      sort={undefined}
      stale={stale}
      empty={null}
      commands={{ open: 'a', toggle: 'b', toggleAll: 'c', sort: 'd', menu: 'e', width: 'f' }}
    />
  )
}

/** Draws the table and loads the code that it does without at first. */
async function draw(shown: Shown) {
  // A table that is shown again does not take the focus: only a further move does.
  const { rerender } = render(<Units {...shown} moves={0} />)
  await act(() => import('../../../../src/ui/table/virtualizer.ts'))
  rerender(<Units {...shown} />)
  return (next: Shown) => rerender(<Units {...next} />)
}

const row = (id: string) => screen.getByRole('row', { name: new RegExp(id) })
const focusedText = () => document.activeElement?.closest('[role=row]')?.textContent
const frame = () => new Promise(resolve => requestAnimationFrame(resolve))

beforeEach(() => {
  // jsdom has none.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = nothing
      disconnect = nothing
    },
  )
})
afterEach(() => {
  cleanup()
  selected.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('selecting a row shows it at once and renders no cell again', async () => {
  await draw({ ids: ['one', 'two', 'three'] })
  cell.mockClear()
  selected.add('two')
  act(() => {
    for (const listener of listeners) listener()
  })
  expect(row('two').ariaSelected).toBe('true')
  expect(row('one').ariaSelected).toBe('false')
  expect(cell).not.toHaveBeenCalled()
})

test('the DOM focus follows the focused row to another index', async () => {
  const redraw = await draw({ ids: ['one', 'two', 'three'], focused: 'two', moves: 1 })
  expect(focusedText()).toContain('two')
  redraw({ ids: ['two', 'one', 'three'], focused: 'two', moves: 1 })
  expect(focusedText()).toContain('two')
})

test('a page turn leaves the DOM focus at its index, and a row that is gone loses it', async () => {
  const redraw = await draw({ ids: ['one', 'two'], focused: 'two', moves: 1 })
  const element = document.activeElement
  redraw({ ids: ['one', 'two'], moves: 1, stale: true })
  await frame()
  redraw({ ids: ['three', 'four'], moves: 1 })
  redraw({ ids: ['three', 'four'], focused: 'four', moves: 1 })
  await frame()
  expect(document.activeElement).toBe(element)
  expect(focusedText()).toContain('four')
  redraw({ ids: ['three'], moves: 1 })
  await vi.waitFor(() => expect(document.activeElement).toBe(document.body))
})

test('the table scrolls to a focused row that has moved out of sight, and the row keeps the DOM focus', async () => {
  // jsdom has no layout.
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(3400)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  const ids = Array.from({ length: 100 }, (_, index) => `unit ${index}.`)
  const redraw = await draw({ ids, focused: 'unit 0.', moves: 1 })
  const grid = screen.getByRole('grid')
  grid.scrollTo = (options?: number | ScrollToOptions) => {
    grid.scrollTop = (options as ScrollToOptions).top ?? 0
    grid.dispatchEvent(new Event('scroll'))
  }
  expect(focusedText()).toContain('unit 0.')
  redraw({ ids: [...ids.slice(1), 'unit 0.'], focused: 'unit 0.', moves: 1 })
  await vi.waitFor(() => expect(focusedText()).toContain('unit 0.'))
  // It does not take the focus from elsewhere.
  act(() => (document.activeElement as HTMLElement).blur())
  redraw({ ids, focused: 'unit 0.', moves: 1 })
  await frame()
  expect(document.activeElement).toBe(document.body)
})
