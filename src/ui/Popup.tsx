import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

interface Props {
  /** What it is called. */
  label: string
  /** What the button shows. */
  button: ReactNode
  buttonClass: string
  /** The id of the command that opens it. */
  command: string
  /** Set on the button, so that a command finds it. */
  marker: `data-${string}`
  className: string
  children: ReactNode
}

/**
 * A button, and under it something small that lies over the page while it is open. The first control in it gets the focus;
 * Esc gives it back to the button, and whoever goes elsewhere closes it.
 */
export function Popup({ label, command, button, buttonClass, marker, className, children }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const whole = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open) return undefined
    panel.current?.querySelector<HTMLElement>('button, input')?.focus()
    const elsewhere = ({ target }: Event) => {
      if (target instanceof Node && !whole.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', elsewhere)
    document.addEventListener('focusin', elsewhere)
    return () => {
      document.removeEventListener('pointerdown', elsewhere)
      document.removeEventListener('focusin', elsewhere)
    }
  }, [open])
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys without a modifier are meant for what is open, not for the page behind it.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
    if (event.key !== 'Escape') return
    event.preventDefault()
    setOpen(false)
    whole.current?.querySelector('button')?.focus()
  }
  return (
    <div ref={whole} className="relative">
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
