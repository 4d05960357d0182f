/** The guards of the screens redirect again after a quick Back. */
import { render } from '@testing-library/react'
import { Router, type Navigator } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { Screens } from '../../../src/shell/Screens.tsx'

test('Back to a guarded screen redirects again, even before the redirect’s target was rendered', () => {
  const navigator = { createHref: () => '', go() {}, push() {}, replace: vi.fn<Navigator['replace']>() }
  window.history.replaceState(null, '', '/vendors')
  // The navigator is a mock, so the redirect's target is never rendered.
  const { unmount } = render(
    <Router location="/vendors" navigator={navigator}>
      <Screens />
    </Router>,
  )
  const popTo = (path: string) => {
    window.history.replaceState(null, '', path)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }
  expect(navigator.replace).toHaveBeenCalledTimes(1)
  popTo('/vendors')
  expect(navigator.replace).toHaveBeenCalledTimes(2)
  expect(navigator.replace).toHaveBeenLastCalledWith(
    expect.objectContaining({ pathname: '/login' }),
    { requestedPath: '/vendors', userId: null },
    expect.anything(),
  )
  // Another path has its own guard.
  popTo('/calendar')
  expect(navigator.replace).toHaveBeenCalledTimes(2)
  unmount()
  popTo('/vendors')
  expect(navigator.replace).toHaveBeenCalledTimes(2)
})
