import { useLayoutEffect, useRef } from 'react'

/**
 * Moves the focus to the first control of each step that is shown once, and after the last one to the heading: what had it is
 * gone by then. Returns the reference of the section.
 */
export function useFocusOnStep(step: string | undefined, isShown: boolean) {
  const section = useRef<HTMLElement>(null)
  const focused = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (!isShown || focused.current === step) return
    focused.current = step
    section.current?.querySelector<HTMLElement>(step === undefined ? 'h2' : 'input, button')?.focus()
  }, [step, isShown])
  return section
}
