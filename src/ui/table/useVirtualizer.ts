import { useEffect, useLayoutEffect, useReducer, useState } from 'react'
import type * as virtualizers from './virtualizer.ts'

type Code = typeof virtualizers

let loaded: Code | undefined

/** Returns the code of virtualizers once `mayLoad` has resolved and it has loaded; at once if it has been loaded before. */
export function useVirtualizerCode(mayLoad: () => Promise<void>): Code | undefined {
  const [code, setCode] = useState(loaded)
  useEffect(() => {
    if (loaded) return undefined
    let isGone = false
    mayLoad()
      .then(() => import('./virtualizer.ts'))
      .then(
        module => {
          loaded = module
          if (!isGone) setCode(module)
        },
        // Without a connection, the table keeps the rows that it shows; the next table tries again.
        () => undefined,
      )
    return () => void (isGone = true)
  }, [mayLoad])
  return code
}

/**
 * Like the library's hook, with code that loads later: undefined until it is there. The library's own hook has to create the
 * virtualizer in the first render.
 */
export function useVirtualizer(
  code: Code | undefined,
  options: Omit<virtualizers.Options, 'onChange'>,
): virtualizers.TableVirtualizer | undefined {
  const rerender = useReducer((count: number) => count + 1, 0)[1]
  const current = { ...options, onChange: rerender }
  const [created, setCreated] = useState(() => code?.createVirtualizer(current))
  const virtualizer = created ?? code?.createVirtualizer(current)
  if (virtualizer !== created) setCreated(virtualizer)
  if (virtualizer) code?.updateVirtualizer(virtualizer, current)
  useLayoutEffect(() => virtualizer?._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer?._willUpdate())
  return virtualizer
}
