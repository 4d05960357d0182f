/** When code that the first rows do not need may load: it would compete with theirs for the wire and the processor. */
import { subscribe } from 'valtio/vanilla'
import { routes } from '../domain/routes.ts'
import { focus } from './focus.ts'

/** Milliseconds after which it loads although no rows have come. */
const maxWait = 1000

let painted: Promise<void> | undefined

/** Resolves once the first rows of the list that the page was opened on are painted; at once on any other page. */
export function afterFirstRows(): Promise<void> {
  return (painted ??= new Promise(resolve => {
    if (window.location.pathname !== routes.devices.path || focus.devices.arrivals > 0) return resolve()
    const stop = subscribe(focus.devices, () => {
      if (focus.devices.arrivals === 0) return
      stop()
      // The frame that shows them comes first.
      requestAnimationFrame(() => setTimeout(resolve))
    })
    setTimeout(resolve, maxWait)
    return undefined
  }))
}
