/** Follows a press of the mouse that may become a drag. */

/** Pixels that a press has to move to be a drag; a shorter one is a click. */
const dragThreshold = 5

interface Point {
  readonly x: number
  readonly y: number
}

/** Calls `move` once the pointer has left the place of the press, and `end` once; Esc cancels. */
export function trackPointer(
  press: Pick<PointerEvent, 'clientX' | 'clientY'>,
  on: { move(pointer: Point): void; end(isCancelled: boolean): void },
): void {
  const listeners = new AbortController()
  const { signal } = listeners
  let started = false
  const end = (isCancelled: boolean) => {
    listeners.abort()
    on.end(isCancelled)
  }
  const move = ({ clientX: x, clientY: y }: PointerEvent) => {
    started ||= Math.hypot(x - press.clientX, y - press.clientY) >= dragThreshold
    if (started) on.move({ x, y })
  }
  window.addEventListener('pointermove', move, { signal })
  window.addEventListener('pointerup', () => end(false), { signal })
  for (const kind of ['pointercancel', 'blur']) window.addEventListener(kind, () => end(true), { signal })
  window.addEventListener(
    'keydown',
    event => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      end(true)
    },
    { signal, capture: true },
  )
}

/** Ignores the click that ends a drag, which would act on what is there. */
export function ignoreClick(): void {
  const listeners = new AbortController()
  window.addEventListener('click', click => click.stopPropagation(), { capture: true, signal: listeners.signal })
  setTimeout(() => listeners.abort())
}
