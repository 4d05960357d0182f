import { lazyComponent } from '../../commands/surfaces/run/lazyComponent.ts'

/** Returns whether a stylesheet has loaded; reading the rules of one that failed throws. */
function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0
  } catch {
    return false
  }
}

/** Loads a stylesheet again. Rejects if it fails. */
const reloadStylesheet = (link: HTMLLinkElement): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement
    again.onload = resolve
    again.onerror = () => reject(new Error(`${link.href} did not load`))
    link.replaceWith(again)
  })

/** The month, week and day views. Their library needs the global `Temporal`, which not all browsers have yet. */
export const LazyEventGrid = lazyComponent(
  async () => {
    if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
    const part = await import('./EventGrid.tsx')
    // The bundler's loader requests a stylesheet only once, even if it failed.
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
    await Promise.all(links.filter(link => !hasRules(link)).map(reloadStylesheet))
    return part
  },
  module => module.EventGrid,
)
