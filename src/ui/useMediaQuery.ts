import { useMemo, useSyncExternalStore } from 'react'

/** Returns whether a media query matches, and renders again when that changes. */
export function useMediaQuery(query: string): boolean {
  // Once: `matchMedia` takes a millisecond, and the palette renders at every key press.
  const list = useMemo(() => window.matchMedia(query), [query])
  return useSyncExternalStore(
    useMemo(
      () => (changed: () => void) => {
        list.addEventListener('change', changed)
        return () => list.removeEventListener('change', changed)
      },
      [list],
    ),
    () => list.matches,
  )
}
