/**
 * Cleans up after each file, because all files of a worker share one page and one module registry
 * (`isolate: false` in vitest.config.ts): opening a page and loading the console for each file took five times longer
 * than the tests.
 */
import { cleanup } from '@testing-library/react'
import { unload } from 'swr'
import { afterAll, vi } from 'vitest'

afterAll(async () => {
  cleanup()
  // SWR is a package, which resetModules does not load again: its cache would keep the last file's pending requests.
  unload({ revalidate: false })
  vi.useRealTimers()
  // A lazy part that is still on its way would load among the modules of the next file, before that file's commands.
  await vi.dynamicImportSettled()
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
