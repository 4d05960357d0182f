import type { Page } from '../../core/page.ts'

let navigate: Page['go'] = () => undefined

/** Sets the router's navigate function, once the router is mounted. */
export function setNavigate(next: Page['go']): void {
  navigate = next
}

/** Goes to a path. */
export const navigateTo: Page['go'] = (path, how) => navigate(path, how)
