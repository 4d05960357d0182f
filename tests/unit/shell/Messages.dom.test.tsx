/** Messages are shown to the person whom they are for. */
import { act, cleanup, render, screen } from '@testing-library/react'
import toast from 'react-hot-toast/headless'
import { afterEach, expect, test } from 'vitest'
import { resetUserState } from '../../../src/commands/people/session.ts'
import { Messages } from '../../../src/shell/Messages.tsx'

afterEach(() => {
  act(() => toast.remove())
  cleanup()
})

test('messages of one person are not shown to the next', () => {
  render(<Messages />)
  act(() => {
    toast.success('Flushed 30:AE:A4:04:74:8C')
    toast.loading('Locking 12 devices')
  })
  expect(screen.getByText('Flushed 30:AE:A4:04:74:8C')).toBeDefined()
  act(() => resetUserState({ reload: false }))
  expect(screen.queryByText('Flushed 30:AE:A4:04:74:8C')).toBeNull()
  expect(screen.queryByText('Locking 12 devices')).toBeNull()
  act(() => void toast.success('Welcome'))
  expect(screen.getByText('Welcome')).toBeDefined()
})
