/** The header of a table: the edges of its columns take keys. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { TableHead } from '../../../../src/ui/table/TableHead.tsx'

const columns = ['id', 'name'].map(id => ({ id, title: id, width: 100, cell: () => null }))
const on = {
  onSort: vi.fn<(column: string) => void>(),
  onToggleAll: vi.fn<() => void>(),
  onWidth: vi.fn<(column: string, width: number) => void>(),
  onFit: vi.fn<(column: string) => void>(),
}
function draw() {
  render(
    <div role="grid">
      <TableHead
        {...on}
        columns={columns}
        sticky={1}
        sort={undefined}
        selected="none"
        limits={{ min: 48, max: 120 }}
        commands={{ toggleAll: 'a', sort: 'b', width: 'c' }}
      />
      <div role="row" tabIndex={0} data-testid="focused row" />
    </div>,
  )
  return screen.getByRole('separator', { name: 'Width of name' })
}
afterEach(() => {
  cleanup()
  vi.clearAllMocks()
})

test('arrow keys change the width within its limits, in larger steps with Shift', async () => {
  const edge = draw()
  edge.focus()
  await userEvent.keyboard('{ArrowRight}{ArrowLeft}{Shift>}{ArrowRight}{ArrowLeft}{/Shift}{Home}{End}')
  expect(on.onWidth.mock.calls).toEqual([
    ['name', 108],
    ['name', 92],
    ['name', 120],
    ['name', 60],
    ['name', 48],
    ['name', 120],
  ])
  expect(edge.getAttribute('aria-valuenow')).toBe('100')
  expect(on.onSort).not.toHaveBeenCalled()
})

test('Enter and a double click fit the column, and Esc returns to the rows', async () => {
  const edge = draw()
  edge.focus()
  await userEvent.keyboard('{Enter}')
  fireEvent.doubleClick(edge)
  expect(on.onFit.mock.calls).toEqual([['name'], ['name']])
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(screen.getByTestId('focused row'))
})

test('the name of a header is its title alone, and pressing it sorts', async () => {
  draw()
  const head = screen.getByRole('columnheader', { name: 'name' })
  expect(head.getAttribute('aria-sort')).toBe('none')
  await userEvent.click(screen.getByRole('button', { name: 'name' }))
  expect(on.onSort.mock.calls).toEqual([['name']])
})
