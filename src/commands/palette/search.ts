/** What the palette shows for a query: sections of commands, the likeliest first, the blocked last with their reason. */
import type { Command } from '../core/types.ts'
import { groups, type Group } from '../core/presentation.ts'
import { appliesHere, type Context } from '../core/context.ts'
import { controlOf } from '../core/fields.ts'
import { displayName } from '../core/displayName.ts'
import { takesFile } from '../core/takesFile.ts'
import { contextBoost } from './contextBoost.ts'
import { bestScore, forMistyped, forWordStart, usedScore } from '../arguments/rank.ts'
import { usesOf } from './recents.ts'
import { commands } from '../core/registry.ts'
import { parseInlineArguments, type InlineArguments, type ParseOptions } from '../arguments/inlineArguments.ts'
import { wordsOf, type Word } from '../arguments/words.ts'

/** A command as the palette knows it while it is open: what it acts on cannot change meanwhile. */
export interface Candidate {
  readonly command: Command
  readonly label: string
  /** What it is found by, besides its label. */
  readonly names: readonly string[]
  /** Why it cannot be done now. */
  readonly blocked: string | undefined
  /** What is selected on another screen is acted on only by whoever names the command. */
  readonly here: boolean
  /** What it has for being likely, and for being used. */
  readonly extra: number
  /** Epoch milliseconds of the last use. */
  readonly usedAt: number | undefined
}

export interface CommandMatch {
  readonly command: Command
  readonly label: string
  readonly blocked: string | undefined
  readonly score: number
  /** What of that is for how well the query fits its name. */
  readonly match: number
  /** The part of the query that names it. */
  readonly named: string
  /** Its arguments, where the query goes on with them. */
  readonly ahead: InlineArguments | undefined
}
export interface Section {
  readonly title: string
  readonly entries: readonly CommandMatch[]
}

/** More would not be read, and each costs time at every key. */
const maxShown = 24
const maxRecent = 4
/** A word that was not understood weighs more than where the name was found. */
const forEachLeft = 20
const forFreeText = 15
/** A whole keyword, or the start of a word of the title. */
const minForOther = forWordStart - 2

const sectionTitle = (group: Group): string =>
  group === 'control' || group === 'settings' ? 'On the selection' : groups[group]

/** All commands that this person may give, looked at once for each time the palette opens. */
export function candidates(context: Context, now: number): readonly Candidate[] {
  const likely = contextBoost(context)
  return commands
    .filter(command => !command.keysOnly)
    .flatMap((command): readonly Candidate[] => {
      const availability = command.availability(context)
      if (availability.is === 'hidden') return []
      const title = command.label(context)
      const label = title === command.title ? displayName(command) : title
      const use = usesOf(command.id)
      return [
        {
          command,
          label,
          names: [...(label === command.title ? [] : [command.title]), ...(command.keywords ?? [])],
          blocked: availability.is === 'blocked' ? availability.reason : undefined,
          here: appliesHere(command, context),
          extra: usedScore(use, now) + likely(command),
          usedAt: use?.at,
        },
      ]
    })
}

export function searchCommands(query: string, all: readonly Candidate[], reading: ParseOptions): readonly Section[] {
  const text = query.trim()
  return text === '' ? browsed(all) : searched(text, all, reading)
}

/** Browsing hides what cannot be done now, and leaves nothing else out: some places are reached from here only. */
function browsed(all: readonly Candidate[]): readonly Section[] {
  const entries = all
    .filter(({ blocked, here }) => blocked === undefined && here)
    .map(candidate => ({ usedAt: candidate.usedAt, entry: foundOf(candidate, candidate.extra) }))
    .sort((a, b) => b.entry.score - a.entry.score)
  const recent = entries
    .filter(({ usedAt }) => usedAt !== undefined)
    .sort((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0))
    .slice(0, maxRecent)
  const rest = entries.filter(one => !recent.includes(one)).map(({ entry }) => entry)
  return [
    ...(recent.length > 0 ? [{ title: 'Recent', entries: recent.map(({ entry }) => entry) }] : []),
    ...inSections(rest).toSorted((a, b) => titles.indexOf(a.title) - titles.indexOf(b.title)),
  ]
}

function searched(text: string, all: readonly Candidate[], reading: ParseOptions): readonly Section[] {
  const words = wordsOf(text)
  const fitting = all.flatMap(candidate => bestOf(text, words, candidate, reading) ?? [])
  // A letter is mistyped only where it makes no sense as it is: `dark` is not meant as `mark`.
  const typedRight = fitting.filter(({ match }) => match > forMistyped)
  const every = typedRight.length > 0 ? typedRight : fitting
  const understood = every.filter(({ ahead, blocked }) => blocked === undefined && !ahead?.left.length)
  const longest = Math.max(0, ...understood.map(({ named }) => named.length))
  const entries = every
    // Where more of the query names a command that takes the rest, less of it is looked for, and no word is in vain.
    .filter(({ ahead, named }) =>
      ahead?.left.length ? named.length > longest : !ahead?.unsure || named.length >= longest,
    )
    .sort((a, b) => Number(a.blocked !== undefined) - Number(b.blocked !== undefined) || b.score - a.score)
    .slice(0, maxShown)
  const blocked = entries.filter(entry => entry.blocked !== undefined)
  return [
    // Sections follow their best entry.
    ...inSections(entries.filter(entry => entry.blocked === undefined)),
    ...(blocked.length > 0 ? [{ title: 'Not now', entries: blocked }] : []),
  ]
}

const foundOf = (
  { command, label, blocked }: Candidate,
  score: number,
  match = 0,
  named = '',
  ahead?: InlineArguments,
): CommandMatch => ({
  command,
  label,
  blocked,
  score,
  match,
  named,
  ahead,
})

/** How the query fits best: whole as the command's name, or in part and the rest as its arguments. */
function bestOf(
  text: string,
  words: readonly Word[],
  candidate: Candidate,
  reading: ParseOptions,
): CommandMatch | undefined {
  const { command, label, names, blocked, extra } = candidate
  const whole = bestScore(text, label, names)
  const plain = whole > 0 ? foundOf(candidate, whole + extra, whole, text) : undefined
  const [first] = words
  if (!first || words.length < 2 || command.fields.length === 0 || takesFile(command)) return plain
  // Whatever names it begins with the first word.
  if (bestScore(first.text, label, names) === 0) return plain
  let best = plain
  for (let count = words.length - 1; count > 0; count--) {
    const named = text.slice(0, words[count - 1]?.end).trim()
    const score = bestScore(named, label, names)
    if (score === 0) continue
    const ahead = parseInlineArguments(words.slice(count), command, reading)
    // Words that mean nothing here say that another command is meant.
    if (ahead.given.length === 0 && !ahead.unsure && (blocked !== undefined || score < minForOther)) continue
    const total = score - 1 + extra - forEachLeft * ahead.left.length - (readsAnything(ahead) ? forFreeText : 0)
    if (total > (best?.score ?? 0)) best = foundOf(candidate, total, score, named, ahead)
    // Where all is understood, less of a name would leave more to understand.
    if (ahead.left.length === 0) break
  }
  return best
}

/** Whether all that it has been given is free text, which may be anything. */
const readsAnything = ({ given, unsure }: InlineArguments): boolean =>
  !unsure && given.every(({ field }) => controlOf(field).kind === 'text')

const titles = [...new Set((Object.keys(groups) as Group[]).map(sectionTitle))]

function inSections(entries: readonly CommandMatch[]): readonly Section[] {
  const sections = new Map<string, CommandMatch[]>()
  for (const entry of entries) {
    const title = sectionTitle(entry.command.group)
    const section = sections.get(title)
    if (section) section.push(entry)
    else sections.set(title, [entry])
  }
  return [...sections].map(([title, list]) => ({ title, entries: list }))
}
