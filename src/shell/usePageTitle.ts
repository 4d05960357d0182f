import { useEffect, useRef } from 'react'
import { deviceIn, routes, type Route } from '../domain/routes.ts'
import { anyOverlay } from '../store/overlays.ts'

const others: Readonly<Record<string, string>> = {
  '/': 'Login',
  '/login': 'Login',
  '/forgot': 'Forgot password',
  '/email/confirm': 'Confirm email',
  '/password/restore': 'Restore password',
}

/** What a path's screen is called; a device goes by its id. */
export function titleOf(pathname: string): string {
  const route = Object.values<Route>(routes).find(({ path }) => path === pathname)
  if (route) return route.title
  return deviceIn(pathname) ?? others[pathname.replace(/(?<=.)\/$/, '')] ?? 'Not found'
}

/** Names the document after the screen, and gives its heading the focus after a navigation. */
export function usePageTitle(pathname: string): void {
  const first = useRef(true)
  useEffect(() => {
    document.title = `${titleOf(pathname)} · Permeate`
    // What has been opened meanwhile keeps the focus.
    if (!first.current && !anyOverlay()) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    first.current = false
  }, [pathname])
}
