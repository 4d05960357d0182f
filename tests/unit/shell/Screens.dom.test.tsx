/** Who may not be where they went is sent away, however soon they come back. */
import { render } from '@testing-library/react'
import { Router, type Navigator } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { Screens } from '../../../src/shell/Screens.tsx'

test('back where one was sent away from before the way out was drawn, one is sent away again', () => {
  const navigator = { createHref: () => '', go() {}, push() {}, replace: vi.fn<Navigator['replace']>() }
  window.history.replaceState(null, '', '/vendors')
  // It draws nothing of where it is sent.
  const { unmount } = render(
    <Router location="/vendors" navigator={navigator}>
      <Screens />
    </Router>,
  )
  const comesTo = (path: string) => {
    window.history.replaceState(null, '', path)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }
  expect(navigator.replace).toHaveBeenCalledTimes(1)
  comesTo('/vendors')
  expect(navigator.replace).toHaveBeenCalledTimes(2)
  expect(navigator.replace).toHaveBeenLastCalledWith(
    expect.objectContaining({ pathname: '/login' }),
    undefined,
    expect.anything(),
  )
  // Another place has its own guard.
  comesTo('/calendar')
  expect(navigator.replace).toHaveBeenCalledTimes(2)
  unmount()
  comesTo('/vendors')
  expect(navigator.replace).toHaveBeenCalledTimes(2)
})
