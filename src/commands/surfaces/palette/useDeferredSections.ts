import { useDeferredValue } from 'react'
import type { Section } from '../../palette/search.ts'

/** As many rows as the palette has room for. */
const atFirst = 12
const none: readonly Section[] = []

/** The sections' first rows, and once those are painted all of them: no key waits for what is out of sight. */
export function useDeferredSections(sections: readonly Section[]): readonly Section[] {
  if (useDeferredValue(sections, none) === sections) return sections
  let room = atFirst
  return sections.flatMap(section => {
    const entries = section.entries.slice(0, Math.max(0, room))
    room -= entries.length
    if (entries.length === section.entries.length) return [section]
    return entries.length > 0 ? [{ title: section.title, entries }] : []
  })
}
