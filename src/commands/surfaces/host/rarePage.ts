/** What few commands ask of the page: loaded when the first of them does. */
import type { PagePart } from '../../core/page.ts'

export async function copy(text: string, alternative: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error(`The browser does not allow copying here: ${alternative}`)
  }
}

/** A list in its scroller goes back to its beginning; anything else comes into view. */
export function scrollTo(part: PagePart, found: HTMLElement | null): void {
  if (part === 'notifications') found?.parentElement?.scrollTo(0, 0)
  else found?.scrollIntoView({ block: 'nearest' })
}
