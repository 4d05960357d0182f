/** What toasts show of an error (specification, section 8). */
import { act, cleanup, render, screen } from '@testing-library/react'
import toast from 'react-hot-toast/headless'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiError } from '../../../../../src/api/errors.ts'
import { toastFailure } from '../../../../../src/commands/surfaces/toasts/toasts.tsx'
import { Toaster } from '../../../../../src/ui/Toaster.tsx'

beforeEach(() => {
  render(<Toaster />)
})
afterEach(() => {
  act(() => toast.remove())
  cleanup()
})

const fail = (message: string | readonly string[]) => act(() => toastFailure(new ApiError(400, message)))
const lines = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
const closeButtons = () => screen.getAllByRole('button', { name: 'Close' })
const rows = (count: number) => Array.from({ length: count }, (_, index) => `Row ${index + 2}: bad`)

test('one message is shown once, and that of a plain error too', () => {
  fail('No luck')
  fail('No luck')
  expect(screen.getAllByText('No luck')).toHaveLength(1)
  act(() => toastFailure(new Error('Plain')))
  expect(screen.getAllByText('Plain')).toHaveLength(1)
})

test('a short list is shown joined with commas and as a list, once', () => {
  fail(rows(3))
  fail(rows(3))
  expect(screen.getByText('Row 2: bad, Row 3: bad, Row 4: bad')).toBeTruthy()
  expect(lines()).toEqual(rows(3))
  expect(closeButtons()).toHaveLength(2)
})

test.each([
  ['15 messages', rows(15), 'and 12 more'],
  ['a list that the server has cut', [...rows(100), 'and 23 more'], 'and 120 more'],
])('of %s, the first three and the number of the others are shown', (_, list, rest) => {
  fail(list)
  expect(screen.getByText(`Row 2: bad, Row 3: bad, Row 4: bad, ${rest}`)).toBeTruthy()
  expect(lines()).toEqual([...rows(3), rest])
})
