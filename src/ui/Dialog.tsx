import { Dialog as HeadlessDialog, DialogPanel, DialogTitle, useClose } from '@headlessui/react'
import type { ReactNode } from 'react'
import { Kbd } from './Kbd.tsx'
import { KeepFirstFocus, useReturnFocus } from './focus/returnFocus.ts'

/**
 * A modal dialog: focus stays in it, Esc and a click outside close it, and focus returns where it was.
 * Without a shown title, `title` still names it.
 */
export function Dialog(props: {
  title: string
  onClose: () => void
  role?: 'dialog' | 'alertdialog'
  showTitle?: boolean
  /** From the top, where a list grows downwards. */
  top?: boolean
  className?: string
  /** The id of the command that it belongs to. */
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
      className="fixed inset-0 z-50"
      // Esc leaves what an input method offers, and only the next one the dialog.
      onKeyDown={event => event.nativeEvent.isComposing && event.stopPropagation()}
      {...(!showTitle && { 'aria-label': title })}
    >
      <div className="fixed inset-0 bg-[oklch(20%_0.02_240/0.28)]" aria-hidden="true" />
      <div
        className={`fixed inset-0 flex justify-center overflow-y-auto p-3 ${top ? 'items-start sm:pt-[92px]' : 'items-center'}`}
      >
        <DialogPanel className={`raised max-w-full rounded-xl ${className}`}>
          {showTitle && <DialogTitle className="text-base font-semibold tracking-tight">{title}</DialogTitle>}
          {children}
          <KeepFirstFocus />
        </DialogPanel>
      </div>
    </HeadlessDialog>
  )
}

/** In a dialog, the button that does what Esc does. */
export function CloseButton({ label = 'Close', autoFocus }: { label?: string; autoFocus?: boolean }) {
  const close = useClose()
  return (
    <button type="button" data-closes className="btn" autoFocus={autoFocus} onClick={close}>
      {label} <Kbd caps={['Esc']} />
    </button>
  )
}
