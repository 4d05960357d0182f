import type { ComponentProps } from 'react'

/** The element of an open menu. It is rendered at the end of the page, outside of the landmarks, so it has its own. */
export function MenuElement(props: ComponentProps<'div'>) {
  return (
    <section aria-label="Menu">
      <div {...props} />
    </section>
  )
}
