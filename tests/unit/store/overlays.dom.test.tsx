/** What follows the overlays of the page. */
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { anyDialog, closeOverlays, overlay, togglePalette, useOverlay } from '../../../src/store/overlays.ts'

afterEach(() => {
  cleanup()
  closeOverlays()
})

/** Changes the overlays, and waits for what follows them. */
const change = (how: () => void) => act(async () => how())

test('a letter that is typed in the palette renders nothing of what shows whether it is open', async () => {
  let renders = 0
  const { result } = renderHook(() => {
    renders++
    return [useOverlay(() => overlay.palette), useOverlay(anyDialog)]
  })
  expect(result.current).toEqual([false, false])
  await change(togglePalette)
  expect(result.current).toEqual([true, false])
  const before = renders
  await change(() => {
    if (overlay.palette) overlay.palette.query = 'f'
  })
  expect(renders).toBe(before)
  await change(() => (overlay.keySheet = true))
  expect(result.current).toEqual([true, true])
})
