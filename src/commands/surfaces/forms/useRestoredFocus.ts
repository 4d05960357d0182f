import { useLayoutEffect, type RefObject } from 'react'

/** The focus of a form that was just unmounted: its command, and the index of the focused control. */
let lostFocus: { readonly command: string; readonly index: number } | undefined

/**
 * Keeps the focus when a form is replaced by a new one of the same command: React remounts the form for another target,
 * for example after the command has deleted or deselected its targets.
 */
export function useRestoredFocus(command: string, form: RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(() => {
    const element = form.current
    const controls = () => [
      ...(element?.querySelectorAll<HTMLElement>('input, textarea, button, [tabindex="0"]') ?? []),
    ]
    if (lostFocus?.command === command && document.activeElement === document.body) {
      controls()[lostFocus.index]?.focus()
      lostFocus = undefined
    }
    return () => {
      const index = controls().findIndex(control => control === document.activeElement)
      if (index < 0) return
      lostFocus = { command, index }
      // A replacement mounts in the same commit, so before this microtask.
      queueMicrotask(() => (lostFocus = undefined))
    }
  }, [command, form])
}
