/** What the palette shows for a query: sections of commands, the likeliest first, the blocked last with their reason. */
import { groups, type Command, type Group } from './command.ts'
import { inPlace, type Context } from './context.ts'
import { bestScore, usedScore } from './rank.ts'
import { usesOf } from './recents.ts'
import { commands } from './registry.ts'

export interface Found {
  readonly command: Command
  /** Why it cannot be done now. */
  readonly blocked: string | undefined
  readonly score: number
}
export interface Section {
  readonly title: string
  readonly entries: readonly Found[]
}

/** More would not be read, and each costs time at every key. */
const mostShown = 24
const mostRecent = 4

const sectionTitle = (group: Group): string =>
  group === 'control' || group === 'settings' ? 'On the selection' : groups[group]

export function found(query: string, context: Context, now: number): readonly Section[] {
  const searching = query.trim() !== ''
  const entries = commands
    .filter(command => !command.keysOnly)
    .flatMap((command): readonly Found[] => {
      const availability = command.availability(context)
      const match = bestScore(query, command.label(context), command.keywords)
      // Browsing hides what cannot be done now; searching for it tells why.
      if (availability.is === 'hidden' || match === 0 || (availability.is === 'blocked' && !searching)) return []
      // What is selected on another screen is acted on only by whoever names the command.
      if (!searching && !inPlace(command, context)) return []
      const blocked = availability.is === 'blocked' ? availability.reason : undefined
      return [{ command, blocked, score: match + usedScore(usesOf(command.id), now) }]
    })
    .sort((a, b) => Number(a.blocked !== undefined) - Number(b.blocked !== undefined) || b.score - a.score)
    // Browsing leaves nothing out: some places are reached from here only.
    .slice(0, searching ? mostShown : undefined)
  const recent = searching
    ? []
    : entries.filter(({ command, blocked }) => !blocked && usesOf(command.id)).slice(0, mostRecent)
  const rest = entries.filter(entry => !recent.includes(entry))
  // Sections follow their best entry; without a query, the order of the groups.
  const ready = inSections(rest.filter(({ blocked }) => blocked === undefined))
  const order = searching ? ready : [...ready].sort((a, b) => sectionOrder(a) - sectionOrder(b))
  const blocked = rest.filter(entry => entry.blocked !== undefined)
  return [
    ...(recent.length > 0 ? [{ title: 'Recent', entries: recent }] : []),
    ...order,
    ...(blocked.length > 0 ? [{ title: 'Not now', entries: blocked }] : []),
  ]
}

const titles = [...new Set((Object.keys(groups) as Group[]).map(sectionTitle))]
const sectionOrder = (section: Section) => titles.indexOf(section.title)

function inSections(entries: readonly Found[]): readonly Section[] {
  const sections = new Map<string, Found[]>()
  for (const entry of entries) {
    const title = sectionTitle(entry.command.group)
    sections.set(title, [...(sections.get(title) ?? []), entry])
  }
  return [...sections].map(([title, list]) => ({ title, entries: list }))
}
