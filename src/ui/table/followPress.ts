import type { RefObject } from 'react'
import type { Gestures } from './rowGestures.ts'

/** What a press becomes is told by code that is loaded with the first one; one that has ended by then becomes nothing. */
export function followPress(press: PointerEvent, gestures: RefObject<Gestures | undefined>): void {
  const lifted = new AbortController()
  const { signal } = lifted
  for (const kind of ['pointerup', 'pointercancel'])
    window.addEventListener(kind, () => lifted.abort(), { capture: true, signal })
  void import('./rowGestures.ts').then(({ follow }) => {
    if (!signal.aborted) follow(gestures as RefObject<Gestures>, press)
    lifted.abort()
  })
}
