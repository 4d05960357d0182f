import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the focus in a list when its focused control is removed, for example because its row has been deleted: it moves to
 * the control that takes its place, or else to the last one. If none is left, it moves to the element with the id
 * `fallback`, such as the heading. `selector` finds the controls of the list.
 */
export function useFocusAfterRemoval(list: RefObject<HTMLElement | null>, selector: string, fallback: string): void {
  const last = useRef<{ readonly control: HTMLElement; readonly index: number }>(undefined)
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const controls = controlsOf(list.current, selector)
      const index = controls.findIndex(control => control === target)
      const control = controls[index]
      if (control) last.current = { control, index }
      // A dialog that asks about the row returns the focus to it.
      else if (target instanceof Element && !target.closest('[role=dialog], [role=alertdialog]'))
        last.current = undefined
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [list, selector])
  useLayoutEffect(() => {
    if (!last.current || last.current.control.isConnected || document.activeElement !== document.body) return
    const controls = controlsOf(list.current, selector)
    const next = controls[last.current.index] ?? controls.at(-1) ?? document.getElementById(fallback)
    last.current = undefined
    next?.focus()
  })
}

const controlsOf = (list: HTMLElement | null, selector: string): readonly HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>(selector) ?? []),
]
