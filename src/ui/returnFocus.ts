import { useEffect, useState } from 'react'

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
    if (active instanceof HTMLElement && !active.closest('[role=dialog], [role=alertdialog]')) outside = active
  })
  useEffect(
    () => () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body) outside?.focus({ preventScroll: true })
      }),
    [],
  )
}
