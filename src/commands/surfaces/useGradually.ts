import { startTransition, useEffect, useState } from 'react'
import type { Section } from '../found.ts'

/** As many rows as the palette has room for, and some. */
const atFirst = 20

/** The sections' first rows, and once those are painted all of them: opening does not wait for what is out of sight. */
export function useGradually(sections: readonly Section[]): readonly Section[] {
  const [all, setAll] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setAll(true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  if (all) return sections
  let room = atFirst
  return sections.flatMap(({ title, entries }) => {
    const shown = entries.slice(0, Math.max(0, room))
    room -= entries.length
    return shown.length > 0 ? [{ title, entries: shown }] : []
  })
}
