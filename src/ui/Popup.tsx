import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

interface Props {
  /** The accessible name of the popup. */
  label: string
  /** The content of the button. */
  button: ReactNode
  buttonClass: string
  /** The id of the command that opens the popup. */
  command: string
  /** A data attribute of the button, by which a command finds it. */
  marker: `data-${string}`
  className: string
  children: ReactNode
}

/**
 * A button with a popup below it. Opening focuses the first control in the popup; Esc closes it and returns focus to the
 * button; a click or focus outside closes it too.
 */
export function Popup({ label, command, button, buttonClass, marker, className, children }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const container = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open) return undefined
    panel.current?.querySelector<HTMLElement>('button, input')?.focus()
    const closeOnOutside = ({ target }: Event) => {
      if (target instanceof Node && !container.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOnOutside)
    document.addEventListener('focusin', closeOnOutside)
    return () => {
      document.removeEventListener('pointerdown', closeOnOutside)
      document.removeEventListener('focusin', closeOnOutside)
    }
  }, [open])
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys without a modifier belong to the popup, not to the page's shortcuts.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
    if (event.key !== 'Escape') return
    event.preventDefault()
    setOpen(false)
    container.current?.querySelector('button')?.focus()
  }
  return (
    <div ref={container} className="relative">
      <button
        type="button"
        {...{ [marker]: '' }}
        data-command={command}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className={buttonClass}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open && (
        <div
          ref={panel}
          id={id}
          role="dialog"
          aria-label={label}
          className={`raised absolute top-full left-0 z-40 mt-1 overflow-auto rounded-lg ${className}`}
          onKeyDown={onKeyDown}
        >
          {children}
        </div>
      )}
    </div>
  )
}
