import type { ReactNode } from 'react'

/**
 * A description list of names and values, with a heading. With `columns`, the facts are side by side, and each name is above its
 * value.
 */
export function Facts({ title, columns = false, children }: { title: string; columns?: boolean; children: ReactNode }) {
  const layout = columns ? 'grid-cols-[repeat(auto-fill,minmax(112px,1fr))] gap-x-4 gap-y-2.5' : 'gap-1'
  return (
    <section className="border-b border-line px-4 py-3.5">
      <h3 className="mb-2 text-[12.5px] font-semibold">{title}</h3>
      <dl data-columns={columns || undefined} className={`group/facts grid ${layout}`}>
        {children}
      </dl>
    </section>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-3 group-data-columns/facts:block">
      <dt className="text-ink3">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}
