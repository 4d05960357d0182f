import type { RefObject } from 'react'
import type { Gestures } from './rowGestures.ts'

/** Loads the gesture code on the first press and passes it the press, unless the press has ended by then. */
export function startRowGesture(press: PointerEvent, gestures: RefObject<Gestures | undefined>): void {
  const lifted = new AbortController()
  const { signal } = lifted
  for (const kind of ['pointerup', 'pointercancel'])
    window.addEventListener(kind, () => lifted.abort(), { capture: true, signal })
  void import('./rowGestures.ts').then(({ trackPress }) => {
    if (!signal.aborted) trackPress(gestures as RefObject<Gestures>, press)
    lifted.abort()
  })
}
