import { useEffect, useRef } from 'react'
import type { Route } from '../domain/route.ts'
import { deviceIn, routes } from '../domain/routes.ts'
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

/** Names the document after the screen, and gives its heading the focus after each navigation, which `key` tells apart. */
export function usePageTitle(pathname: string, key: string): void {
  const before = useRef<string>(undefined)
  useEffect(() => {
    document.title = `${titleOf(pathname)} · Permeate`
    const first = before.current === undefined
    // Away and back at once, the screen is the same, but what had the focus lost it.
    const stayed = before.current === pathname && document.activeElement !== document.body
    before.current = pathname
    // What has been opened meanwhile keeps the focus.
    if (!first && !stayed && !anyOverlay())
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [pathname, key])
}
