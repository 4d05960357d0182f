import type { ReactNode } from 'react'

/** A part of the explanation of a device's health. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-4">
      <h3 className="mb-1 font-semibold">{title}</h3>
      {children}
    </section>
  )
}
