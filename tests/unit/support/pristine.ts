/**
 * Cleans up after each file, because all files of a worker share one page and one module registry
 * (`isolate: false` in vitest.config.ts): opening a page and loading the console for each file took five times longer
 * than the tests.
 */
import { cleanup } from '@testing-library/react'
import { afterAll, vi } from 'vitest'

afterAll(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
  document.body.replaceChildren()
  document.documentElement.removeAttribute('class')
  history.replaceState(null, '', '/')
  // The next file loads its own modules, so that no store keeps values of this one.
  vi.resetModules()
})
