import type { ReactNode } from 'react'

/** Shows an argument that has been entered; with `onChange`, as a button that opens its page again. */
export function Chip(props: { children: ReactNode; command?: string; wrong?: boolean; onChange?: () => void }) {
  const { children, command, wrong = false, onChange } = props
  const look = `max-w-full truncate rounded-md border px-2 py-0.5 text-[11px] ${wrong ? 'border-warn text-warn' : 'border-line text-ink2'}`
  if (!onChange) return <span className={look}>{children}</span>
  return (
    <button type="button" data-command={command} className={`${look} min-h-6 hover:bg-accent-soft`} onClick={onChange}>
      {children}
    </button>
  )
}
