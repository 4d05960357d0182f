import type { RefObject } from 'react'
import type { HeadGestures } from './headGestures.ts'
import type { Gestures } from './rowGestures.ts'

type AnyGestures = RefObject<(Gestures & HeadGestures) | undefined>

/** Loads the gesture code on the first press and passes it the press, unless the press has ended by then. */
export function startGesture(press: PointerEvent, gestures: AnyGestures): void {
  const lifted = new AbortController()
  const { signal } = lifted
  for (const kind of ['pointerup', 'pointercancel'])
    window.addEventListener(kind, () => lifted.abort(), { capture: true, signal })
  const onHead = (press.target as Element).closest('[role=columnheader]') !== null
  const load = onHead
    ? import('./headGestures.ts').then(({ trackHeadPress }) => trackHeadPress)
    : import('./rowGestures.ts').then(({ trackPress }) => trackPress)
  void load.then(track => {
    if (!signal.aborted) track(gestures as RefObject<Gestures & HeadGestures>, press)
    lifted.abort()
  })
}
