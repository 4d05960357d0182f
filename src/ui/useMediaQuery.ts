import { useSyncExternalStore } from 'react'

/** Returns whether a media query matches, and renders again when that changes. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    changed => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => window.matchMedia(query).matches,
  )
}
