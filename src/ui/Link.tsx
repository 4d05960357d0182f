import type { ComponentProps } from 'react'
import { useNavigate } from 'react-router-dom'

interface Props extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  /** An absolute path within the console. */
  readonly to: string
}

/**
 * A link to another screen. The router's own `<Link>` also prefetches data and submits forms, which would load with the
 * first screen: a library's module is not split.
 */
export function Link({ to, children, ...attributes }: Props) {
  const navigate = useNavigate()
  return (
    <a
      {...attributes}
      href={to}
      onClick={event => {
        // With a modifier the browser opens another tab.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        void navigate(to)
      }}
    >
      {children}
    </a>
  )
}
