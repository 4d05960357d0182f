import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  /** Shown beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of the overview. */
export function Card({ title, actions, children }: Props) {
  return (
    <section aria-label={title} className="@container min-w-0 rounded-lg border border-line bg-panel px-4 py-3">
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="mr-auto text-[13px] font-semibold">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

interface ContentProps<Data> {
  readonly data: Data | undefined
  readonly error: unknown
  /** Shown if there is nothing to list. */
  readonly empty: string
  readonly isEmpty: (data: Data) => boolean
  readonly children: (data: Data) => ReactNode
}

/** What a card lists, or why it does not. */
export function CardContent<Data>({ data, error, empty, isEmpty, children }: ContentProps<Data>) {
  if (data !== undefined) return isEmpty(data) ? <p className="text-ink2">{empty}</p> : children(data)
  if (error === undefined) return <CardSkeleton />
  return (
    <p role="alert" className="text-ink2">
      {error instanceof Error ? error.message : 'This could not be loaded'}
    </p>
  )
}

function CardSkeleton() {
  return (
    <div aria-hidden="true" className="grid gap-3 py-1">
      {[90, 70, 50].map(width => (
        <span key={width} className="skeleton block h-4" style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}
