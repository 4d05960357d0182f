import { useEffect, useLayoutEffect, useState } from 'react'

const dialogs = '[role=dialog], [role=alertdialog]'

/** The element that had the focus before the first dialog opened. */
let previousFocus: HTMLElement | undefined

/**
 * Restores the focus when a dialog closes. The dialog library does so only for elements focused after it was loaded, and
 * it is loaded when the page is idle.
 */
export function useReturnFocus(): void {
  // During render, before a field with `autoFocus` takes the focus.
  useState(() => {
    const active = document.activeElement
    // Between two dialogs the body has the focus; the element from before the first dialog is kept.
    if (active instanceof HTMLElement && active !== document.body && !active.closest(dialogs)) previousFocus = active
  })
  useEffect(
    () => () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body) previousFocus?.focus({ preventScroll: true })
      }),
    [],
  )
}

/**
 * Keeps a dialog's initial focus when another dialog, closing at the same time, restores the focus behind it. Must be the
 * dialog's last child, so that its fields have already taken the focus.
 */
export function KeepInitialFocus(): null {
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
