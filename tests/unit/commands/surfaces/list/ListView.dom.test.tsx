/** Which row is the target of the panel when the rows of a list change. */
import { act, cleanup, render } from '@testing-library/react'
import type { SWRResponse } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { List } from '../../../../../src/api/contract/endpoint.ts'
import type { Row } from '../../../../../src/api/lists.ts'
import { ListView } from '../../../../../src/commands/surfaces/list/ListView.tsx'
import { focus, resetFocus } from '../../../../../src/store/focus.ts'

const [nothing, noColumns, empty] = [() => undefined, [], { text: 'No groups' }] as const

function Groups({ ids }: { ids: readonly string[] }) {
  const data = ids.map(id => ({ _id: id, name: id }) as unknown as Row<'groups'>)
  const response = { data: { data, count: data.length }, isLoading: false } as unknown as SWRResponse<
    List<Row<'groups'>>
  >
  return <ListView entity="groups" columns={noColumns} response={response} empty={empty} />
}

beforeEach(() => {
  // jsdom has none.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }))
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
  resetFocus()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

/** Adds a panel with a form, and focuses its field. */
function typeInPanel() {
  const panel = document.body.appendChild(document.createElement('aside'))
  panel.innerHTML = '<form><input /></form>'
  const field = panel.querySelector('input')!
  field.focus()
  return field
}

test('while the form of a row is typed in, no other row takes the place of the row', () => {
  Object.assign(focus.groups, { id: 'two', index: 1, moves: 1 })
  const { rerender } = render(<Groups ids={['one', 'two', 'three']} />)
  const field = typeInPanel()
  rerender(<Groups ids={['one', 'three']} />)
  expect(focus.groups.id).toBe('two')
  // It is the target again when it is back on the page.
  rerender(<Groups ids={['two', 'one', 'three']} />)
  expect(focus.groups).toMatchObject({ id: 'two', index: 0 })
  rerender(<Groups ids={['one', 'three']} />)
  act(() => field.blur())
  rerender(<Groups ids={['one', 'three', 'four']} />)
  expect(focus.groups).toMatchObject({ id: 'one', index: 0 })
})
