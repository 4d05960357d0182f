/** Dragging a column by its header. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { trackHeadPress, type HeadGestures } from '../../../../src/ui/table/headGestures.ts'

const onMove = vi.fn<HeadGestures['onMove']>()
const onClick = vi.fn<() => void>()
let heads: readonly HTMLElement[]

beforeEach(() => {
  onMove.mockClear()
  onClick.mockClear()
  const scroller = document.body.appendChild(document.createElement('div'))
  scroller.getBoundingClientRect = () => new DOMRect(0, 0, 1000, 300)
  heads = ['a', 'b', 'c'].map((column, index) => {
    const head = scroller.appendChild(document.createElement('span'))
    head.role = 'columnheader'
    Object.assign(head.dataset, { column, movable: '' })
    head.getBoundingClientRect = () => new DOMRect(100 + index * 100, 0, 100, 30)
    head.addEventListener('click', onClick)
    return head
  })
  const dropLine = scroller.appendChild(document.createElement('div'))
  const gestures = { scroller: { current: scroller }, dropLine: { current: dropLine }, onMove }
  scroller.addEventListener('pointerdown', press =>
    trackHeadPress({ current: gestures as unknown as HeadGestures }, press),
  )
})
afterEach(() => document.body.replaceChildren())

/** Drags a head through these places, and lets go there; the browser clicks a head on which the press also ends. */
async function drag(index: number, ...through: readonly number[]) {
  const head = heads[index]!
  const at = (type: string, clientX: number) =>
    head.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'mouse', button: 0, clientX }))
  at('pointerdown', 150 + index * 100)
  for (const x of through) {
    at('pointermove', x)
    // The drag follows the pointer once in each frame.
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }
  at('pointerup', through.at(-1)!)
  head.click()
}

test('a drag within the place of the column moves nothing, and is a click', async () => {
  for (const x of [257, 243]) await drag(1, x)
  // The last column goes to the end, where it is.
  await drag(2, 360)
  expect(onMove).not.toHaveBeenCalled()
  expect(onClick).toHaveBeenCalledTimes(3)
})

test('a drag to another place moves the column, and one that returns does not', async () => {
  await drag(1, 360)
  await drag(1, 120)
  expect(onMove.mock.calls).toEqual([
    ['b', undefined],
    ['b', 'a'],
  ])
  await drag(1, 120, 250)
  expect(onMove).toHaveBeenCalledTimes(2)
  expect(onClick).not.toHaveBeenCalled()
})
