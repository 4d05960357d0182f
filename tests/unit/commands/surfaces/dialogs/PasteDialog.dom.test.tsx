/** The dialog that selects devices by pasted ids. */
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { PasteDialog } from '../../../../../src/commands/surfaces/dialogs/PasteDialog.tsx'
import { overlay } from '../../../../../src/store/overlays.ts'

afterEach(() => {
  cleanup()
  overlay.pasteDialog = undefined
})

test('letters typed in the middle of the ids stay together', async () => {
  overlay.pasteDialog = { text: 'A4:1C:09:7E:33:0B, 30:AE:A4:00:1A:01', unknown: [] }
  render(<PasteDialog />)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Device ids' })
  await userEvent.type(field, 'FE:E2', { initialSelectionStart: 19, initialSelectionEnd: 36 })
  expect(field.value).toBe('A4:1C:09:7E:33:0B, FE:E2')
  await userEvent.type(field, 'abc ', { initialSelectionStart: 0, initialSelectionEnd: 0 })
  expect(field.value).toBe('abc A4:1C:09:7E:33:0B, FE:E2')
})
