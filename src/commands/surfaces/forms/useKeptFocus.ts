import { useLayoutEffect, type RefObject } from 'react'

/** Where the focus was in a form that went away, for the one of the same command that takes its place. */
let left: { readonly command: string; readonly place: number } | undefined

/**
 * A form is made anew when it is for something else: what it was sent for may be gone, or no longer selected. Whoever
 * was in it stays in it.
 */
export function useKeptFocus(command: string, form: RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(() => {
    const element = form.current
    const controls = () => [
      ...(element?.querySelectorAll<HTMLElement>('input, textarea, button, [tabindex="0"]') ?? []),
    ]
    if (left?.command === command && document.activeElement === document.body) {
      controls()[left.place]?.focus()
      left = undefined
    }
    return () => {
      const place = controls().findIndex(control => control === document.activeElement)
      if (place < 0) return
      left = { command, place }
      // What takes its place is there before that, or nothing is.
      queueMicrotask(() => (left = undefined))
    }
  }, [command, form])
}
