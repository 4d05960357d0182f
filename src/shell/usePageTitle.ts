import { useEffect, useRef } from 'react'
import type { Route } from '../domain/lists/route.ts'
import { bssidInPath, routes } from '../domain/lists/routes.ts'
import { anyOverlay } from '../store/overlays.ts'

/** Titles of paths that are not in the route table. */
const otherTitles: Readonly<Record<string, string>> = {
  '/': 'Login',
  '/login': 'Login',
  '/forgot': 'Forgot password',
  '/email/confirm': 'Confirm email',
  '/password/restore': 'Restore password',
}

/** Returns the title of a path's screen; for a device, its id. */
export function titleOf(pathname: string): string {
  const route = Object.values<Route>(routes).find(({ path }) => path === pathname)
  if (route) return route.title
  return bssidInPath(pathname) ?? otherTitles[pathname.replace(/(?<=.)\/$/, '')] ?? 'Not found'
}

/** Sets the document title, and focuses the screen's heading after each navigation. `key` identifies the navigation. */
export function usePageTitle(pathname: string, key: string): void {
  const before = useRef<string>(undefined)
  useEffect(() => {
    document.title = `${titleOf(pathname)} · Permeate`
    const first = before.current === undefined
    // Leaving and returning at once keeps the screen, but its focused element has lost the focus.
    const stayed = before.current === pathname && document.activeElement !== document.body
    before.current = pathname
    // The first field of a form that a screen opens with keeps the focus, and so does an overlay that was opened meanwhile.
    const inForm = document.activeElement?.closest('main form')
    if (!first && !stayed && !inForm && !anyOverlay())
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [pathname, key])
}
