/** The palette while its code loads: it opens without the executor, shows what is typed, and closes. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandOf } from '../../../src/commands/core/registry.ts'
import { startKeyBuffer } from '../../../src/commands/surfaces/keys/keyBuffer.ts'
import { deferExecutor, runCommand } from '../../../src/commands/surfaces/run/run.ts'
import { PaletteFrame } from '../../../src/shell/PaletteFrame.tsx'
import { closeOverlays, overlay, togglePalette } from '../../../src/store/overlays.ts'

let stop: () => void
beforeEach(() => (stop = startKeyBuffer()))
afterEach(() => {
  closeOverlays()
  stop()
  cleanup()
})

const press = (key: string, init: KeyboardEventInit = {}) => fireEvent.keyDown(document.body, { key, ...init })
const input = () => screen.getByRole('status').previousElementSibling!.textContent

test('the palette opens, and closes again, before the executor has loaded', async () => {
  deferExecutor(
    () => Promise.withResolvers<never>().promise,
    () => Promise.resolve(),
  )
  expect(await runCommand(commandOf('view.palette'))).toEqual({ is: 'done' })
  expect(overlay.palette).toBeDefined()
  await runCommand(commandOf('view.palette'))
  expect(overlay.palette).toBeUndefined()
})

test('what is typed shows as it will be entered: without keys that type nothing, and without what Backspace took', async () => {
  togglePalette()
  render(<PaletteFrame />)
  for (const key of ['>', 'f', 'l', 'Shift', 'x', 'Backspace', 'ArrowDown', 'u', ' ', '1']) press(key)
  await screen.findByText('>flu 1')
  press('k', { ctrlKey: true })
  // AltGr, which Windows reports as Ctrl and Alt, too.
  press('@', { ctrlKey: true, altKey: true, modifierAltGraph: true })
  await screen.findByText('>flu 1@')
  press('Backspace')
  await screen.findByText('>flu 1')
  expect(input()).toBe('>flu 1')
})

test('a click into it keeps what is typed, and one beside it does not', async () => {
  togglePalette()
  render(<PaletteFrame />)
  press('f')
  await screen.findByText('f')
  fireEvent.pointerDown(screen.getByRole('status'))
  expect(input()).toBe('f')
  fireEvent.pointerDown(screen.getByRole('button'))
  await waitFor(() => expect(input()).toBe(''))
})

test('Escape and a click beside it close it, and what was typed is forgotten', async () => {
  togglePalette()
  const { rerender } = render(<PaletteFrame />)
  press('f')
  await screen.findByText('f')
  press('Escape')
  expect(overlay.palette).toBeUndefined()
  togglePalette()
  rerender(<PaletteFrame />)
  expect(input()).toBe('')
  fireEvent.click(screen.getByRole('button', { name: 'Close the palette' }))
  expect(overlay.palette).toBeUndefined()
})
