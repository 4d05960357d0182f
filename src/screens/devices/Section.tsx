import { useEffect, useId, useRef, type ReactNode } from 'react'

/** A section of a device's screen with a heading and buttons. */
export function Section(props: {
  title: string
  /** The URL fragment, without `#`, that scrolls to this section. */
  anchor?: string
  actions?: ReactNode
  children: ReactNode
}) {
  const { title, anchor, actions, children } = props
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (anchor === undefined || window.location.hash !== `#${anchor}`) return
    heading.current?.scrollIntoView({ block: 'center' })
    heading.current?.focus({ preventScroll: true })
  }, [anchor])
  return (
    <section
      aria-labelledby={id}
      // An anchor for commands that focus this section.
      {...(anchor !== undefined && { [`data-${anchor}`]: '' })}
      className="min-w-0 rounded-lg border border-line bg-panel p-4"
    >
      <div className="mb-2.5 flex min-h-[30px] flex-wrap items-center gap-2">
        <h2
          ref={heading}
          id={id}
          tabIndex={anchor === undefined ? undefined : -1}
          className="flex-1 text-[13px] font-semibold tracking-tight"
        >
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** A description list with a row for each name and value. */
export function Rows({ children }: { children: ReactNode }) {
  return <dl className="grid">{children}</dl>
}

/** A row of `Rows`. */
export function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-1.5 last:border-0 last:pb-0">
      <dt className="text-ink3">{name}</dt>
      <dd className="min-w-0 text-right break-words tabular-nums">{children}</dd>
    </div>
  )
}
