import { useDeferredValue } from 'react'
import { maxShown, type Section } from '../../palette/search.ts'

/** The number of rows visible without scrolling. */
const visibleRows = 12
const none: readonly Section[] = []

/**
 * Returns the visible rows of many first, such as all commands in a fresh palette, and the others after those are painted.
 */
export function useDeferredSections(sections: readonly Section[]): readonly Section[] {
  // A search never finds so many.
  const isLong = sections.reduce((count, { entries }) => count + entries.length, 0) > maxShown
  const rendered = useDeferredValue(isLong ? sections : none, none)
  if (!isLong || rendered === sections) return sections
  let room = visibleRows
  return sections.flatMap(section => {
    const entries = section.entries.slice(0, Math.max(0, room))
    room -= entries.length
    if (entries.length === section.entries.length) return [section]
    return entries.length > 0 ? [{ title: section.title, entries }] : []
  })
}
