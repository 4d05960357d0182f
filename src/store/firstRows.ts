/** Delays code that the first rows do not need, which would compete with them for network and processor. */
import { subscribe } from 'valtio/vanilla'
import { routes } from '../domain/lists/routes.ts'
import { focus } from './focus.ts'
import { afterFrame } from './timing/afterFrame.ts'
import { whenIdle } from './timing/whenIdle.ts'

/** Milliseconds after which the code loads even without rows. */
const maxWait = 1000

let firstRowsPainted: Promise<void> | undefined

/** Resolves once the first rows of the devices list are painted; at once on any other page. */
export function afterFirstRows(): Promise<void> {
  return (firstRowsPainted ??= new Promise(resolve => {
    if (window.location.pathname !== routes.devices.path || focus.devices.pageLoads > 0) return resolve()
    const stop = subscribe(focus.devices, () => {
      if (focus.devices.pageLoads === 0) return
      stop()
      // Wait for the frame that paints them.
      afterFrame(resolve)
    })
    setTimeout(resolve, maxWait)
    return undefined
  }))
}

/** Milliseconds after which the page counts as idle even if it is not. */
const idleTimeout = 200

/**
 * Resolves once the page is idle after the first rows, for code that may wait until a key that is pressed at once, such as
 * that of the palette, has been handled.
 */
export const afterFirstRowsIdle = (): Promise<void> => afterFirstRows().then(() => whenIdle(idleTimeout))
