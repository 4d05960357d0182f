import { lazily } from '../../commands/surfaces/run/lazily.ts'

/** Whether it loaded: those of a stylesheet that did not cannot even be read. */
function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0
  } catch {
    return false
  }
}

/** Asks anew for a stylesheet that did not load. */
const renewed = (link: HTMLLinkElement): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement
    again.onload = resolve
    again.onerror = () => reject(new Error(`${link.href} did not load`))
    link.replaceWith(again)
  })

/** Month, week and day. The library that draws them takes the global Temporal, which not every browser has yet. */
export const DrawnCalendar = lazily(
  async () => {
    if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
    const part = await import('./EventGrid.tsx')
    // The bundler's loader asks for a stylesheet once, and takes it for there from then on.
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
    await Promise.all(links.filter(link => !hasRules(link)).map(renewed))
    return part
  },
  of => of.EventGrid,
)
