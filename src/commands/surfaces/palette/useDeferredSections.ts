import { useDeferredValue } from 'react'
import type { Section } from '../../palette/search.ts'

/** The number of rows visible without scrolling. */
const visibleRows = 12
const none: readonly Section[] = []

/** Returns the visible rows of the sections first, and all rows after those are painted, so that typing stays fast. */
export function useDeferredSections(sections: readonly Section[]): readonly Section[] {
  if (useDeferredValue(sections, none) === sections) return sections
  let room = visibleRows
  return sections.flatMap(section => {
    const entries = section.entries.slice(0, Math.max(0, room))
    room -= entries.length
    if (entries.length === section.entries.length) return [section]
    return entries.length > 0 ? [{ title: section.title, entries }] : []
  })
}
