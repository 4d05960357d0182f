/** The text that the palette searches for follows the input. */
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useSearchedText } from '../../../../../src/commands/surfaces/palette/useSearchedText.ts'
import { closePalette, overlay } from '../../../../../src/store/overlays.ts'

function type(query: string): void {
  overlay.palette = { query, prompt: undefined }
}

beforeEach(() => type(''))
afterEach(() => {
  cleanup()
  closePalette()
})

test('a letter is searched for in the frame after it', async () => {
  const { result } = renderHook(useSearchedText)
  act(() => type('f'))
  expect(result.current[0]).toBe('')
  await waitFor(() => expect(result.current[0]).toBe('f'))
})

test('a key that acts on the results has those of all that was typed', () => {
  const { result } = renderHook(useSearchedText)
  act(() => type('flush'))
  act(() => result.current[1]())
  expect(result.current[0]).toBe('flush')
})
