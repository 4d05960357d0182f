import { useEffect, useLayoutEffect, useState } from 'react'

const dialogs = '[role=dialog], [role=alertdialog]'

/** What had the focus before the first of the dialogs opened. */
let outside: HTMLElement | undefined

/**
 * Gives the focus back when a dialog goes away. The dialog's library does so too, but only for what got the focus after
 * the library was loaded, and it is loaded when the page is idle.
 */
export function useReturnFocus(): void {
  // While rendering: a field that takes the focus by itself has not taken it yet.
  useState(() => {
    const active = document.activeElement
    // Between two dialogs nothing has it: what had it before the first gets it back after the second.
    if (active instanceof HTMLElement && active !== document.body && !active.closest(dialogs)) outside = active
  })
  useEffect(
    () => () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body) outside?.focus({ preventScroll: true })
      }),
    [],
  )
}

/**
 * Keeps the focus where a dialog put it at first: one that closes as this one opens gives the focus back behind it.
 * To be the last thing in the dialog, so that its fields have taken the focus already.
 */
export function KeepFirstFocus(): null {
  useLayoutEffect(() => {
    const first = document.activeElement
    const frame = requestAnimationFrame(() => {
      const dialog = first?.closest(dialogs)
      const now = document.activeElement
      if (first instanceof HTMLElement && dialog && (now === dialog || !dialog.contains(now))) first.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return null
}
