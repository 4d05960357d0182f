/** Page effects that few commands use; loaded when first needed. */
import type { PagePart } from '../../core/page.ts'

/** Copies text to the clipboard. Throws with `alternative` as advice if the browser refuses. */
export async function copy(text: string, alternative: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error(`The browser does not allow copying here: ${alternative}`)
  }
}

/** Scrolls the notifications to their top; scrolls any other part into view. */
export function scrollTo(part: PagePart, element: HTMLElement | null): void {
  if (part === 'notifications') element?.parentElement?.scrollTo(0, 0)
  else element?.scrollIntoView({ block: 'nearest' })
}
