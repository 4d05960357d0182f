import { Dialog as HeadlessDialog, DialogPanel, DialogTitle, useClose } from '@headlessui/react'
import type { ReactNode } from 'react'
import { dialogLayout } from './dialogLayout.ts'
import { Kbd } from './Kbd.tsx'
import { KeepInitialFocus, useReturnFocus } from './focus/returnFocus.ts'

/**
 * A modal dialog: it traps focus, closes on Esc and on a click outside, and then restores the previous focus. `title`
 * labels it even if it is not shown.
 */
export function Dialog(props: {
  title: string
  onClose: () => void
  role?: 'dialog' | 'alertdialog'
  showTitle?: boolean
  /** Aligns the dialog to the top, for content that grows downwards. */
  top?: boolean
  className?: string
  /** The id of the command that the dialog belongs to. */
  command?: string | undefined
  children: ReactNode
}) {
  const {
    title,
    onClose,
    role = 'dialog',
    showTitle = true,
    top = false,
    className = 'w-[460px] p-5',
    children,
  } = props
  useReturnFocus()
  return (
    <HeadlessDialog
      open
      onClose={onClose}
      role={role}
      data-command={props.command}
      className={dialogLayout.root}
      // While an input method is composing, Esc cancels the composition and does not close the dialog.
      onKeyDown={event => event.nativeEvent.isComposing && event.stopPropagation()}
      {...(!showTitle && { 'aria-label': title })}
    >
      <div className={dialogLayout.backdrop} aria-hidden="true" />
      <div className={`${dialogLayout.page} ${top ? dialogLayout.top : dialogLayout.middle}`}>
        <DialogPanel className={`${dialogLayout.panel} ${className}`}>
          {showTitle && <DialogTitle className="text-base font-semibold tracking-tight">{title}</DialogTitle>}
          {children}
          <KeepInitialFocus />
        </DialogPanel>
      </div>
    </HeadlessDialog>
  )
}

/** A dialog's close button, which does the same as Esc. */
export function CloseButton({ label = 'Close', autoFocus }: { label?: string; autoFocus?: boolean }) {
  const close = useClose()
  return (
    <button type="button" data-closes className="btn" autoFocus={autoFocus} onClick={close}>
      {label} <Kbd caps={['Esc']} />
    </button>
  )
}
