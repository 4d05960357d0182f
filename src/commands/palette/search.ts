/** The search of the palette: returns sections of commands, the best match first and blocked commands last. */
import type { Command } from '../core/types.ts'
import { groups, type Group } from '../core/presentation.ts'
import { controlOf } from '../core/fields.ts'
import { takesFile } from '../core/takesFile.ts'
import { typoScore, wholeNameScore, wordStartScore } from '../arguments/rank.ts'
import { canBeJob } from '../core/execution/serverJob.ts'
import { parseInlineArguments, type InlineArguments, type ParseOptions } from '../arguments/inlineArguments.ts'
import { splitWords, type Word } from '../arguments/words.ts'
import { nameScoreOf, spreadScore, type SearchableCommand } from './searchable.ts'

export interface CommandMatch {
  readonly command: Command
  readonly label: string
  readonly blocked: string | undefined
  readonly score: number
  /** The part of the score for the match of its name. */
  readonly nameScore: number
  /** The part of the query that matches its name. */
  readonly nameQuery: string
  /** The arguments in the rest of the query, if there is a rest. */
  readonly inlineArguments: InlineArguments | undefined
}
export interface Section {
  readonly title: string
  readonly entries: readonly CommandMatch[]
}

/** The maximum number of results: more would not be read, and each costs time at every key press. */
export const maxShown = 24
const maxRecent = 4
/** The penalty for each unparsed word, and for a policy that is not complete: more than the ten between two kinds of name matches. */
const unparsedPenalty = 20
const freeTextPenalty = 15
/**
 * The minimum name score of a command if none of its further words is parsed: that of a whole keyword, or of the start of a word
 * of the title.
 */
const minScoreWithoutArguments = wordStartScore - 2

const onSelection = 'On the selection'
const actsOnSelection = (group: Group) => group === 'control' || group === 'settings'
const sectionTitle = (group: Group): string => (actsOnSelection(group) ? onSelection : groups[group])
/** Whether a command can be listed as recent: not those on the selection, nor switches such as the theme. */
const isRecent = ({ group }: Command): boolean => !actsOnSelection(group) && group !== 'view'

/** Returns the sections for a query; for an empty query, the commands that can run here. */
export function searchCommands(
  query: string,
  all: readonly SearchableCommand[],
  options: ParseOptions,
): readonly Section[] {
  const text = query.trim()
  return text === '' ? browseSections(all) : searchSections(text, all, options)
}

/** Returns all commands that can run here. None is left out, because some screens are reached only from the palette. */
function browseSections(all: readonly SearchableCommand[]): readonly Section[] {
  const entries = all
    .filter(({ blocked, here }) => blocked === undefined && here)
    .map(searchable => ({ usedAt: searchable.usedAt, entry: toMatch(searchable, searchable.boost) }))
    .sort((a, b) => b.entry.score - a.entry.score)
  const recent = entries
    .filter(({ usedAt, entry }) => usedAt !== undefined && isRecent(entry.command))
    .sort((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0))
    .slice(0, maxRecent)
  const rest = entries.filter(one => !recent.includes(one)).map(({ entry }) => entry)
  // Likely commands on the selection come first, then the commands of this screen, then those that run everywhere.
  // What creates something opens a form, so it is not what Enter in a fresh palette starts.
  const ofScreen = new Set(all.flatMap(({ command, ofScreen }) => (ofScreen ? [command.id] : [])))
  const rank = ({ title, entries }: Section) =>
    title === onSelection
      ? 0
      : title === groups.create
        ? 3
        : entries.some(({ command }) => ofScreen.has(command.id))
          ? 1
          : 2
  const [first, ...others] = groupIntoSections(rest).toSorted(
    (a, b) => rank(a) - rank(b) || titles.indexOf(a.title) - titles.indexOf(b.title),
  )
  const recentSection = recent.length > 0 ? [{ title: 'Recent', entries: recent.map(({ entry }) => entry) }] : []
  // What the selection makes likely comes first, so that Enter in a fresh palette acts on it.
  return first?.title === onSelection
    ? [first, ...recentSection, ...others]
    : [...recentSection, ...(first ? [first, ...others] : [])]
}

function searchSections(text: string, all: readonly SearchableCommand[], options: ParseOptions): readonly Section[] {
  const words = splitWords(text)
  const allMatches = all.flatMap(searchable => bestMatch(text, words, searchable, options) ?? [])
  // Typos are only accepted if no command matches without one: `dark` does not find `mark`.
  const withoutTypos = allMatches.filter(({ nameScore }) => nameScore > typoScore)
  const matches = withoutTypos.length > 0 ? withoutTypos : allMatches
  const fullyParsed = matches.filter(
    ({ inlineArguments, blocked, nameScore }) =>
      blocked === undefined && nameScore > spreadScore && !inlineArguments?.unparsed.length,
  )
  const longest = Math.max(0, ...fullyParsed.map(({ nameQuery }) => nameQuery.length))
  const isName = matches.some(({ inlineArguments }) => !inlineArguments)
  const entries = matches
    // The name of a command is no guess at arguments of another, even if that command is blocked.
    .filter(
      ({ inlineArguments, nameScore }) =>
        !isName || !inlineArguments || nameScore >= wholeNameScore || isCertain(inlineArguments),
    )
    // If a command parses the whole query, others with a shorter name and unparsed or ambiguous words are left out.
    .filter(({ inlineArguments, nameQuery }) =>
      inlineArguments?.unparsed.length
        ? nameQuery.length > longest
        : !inlineArguments?.ambiguous || nameQuery.length >= longest,
    )
    .sort((a, b) => Number(a.blocked !== undefined) - Number(b.blocked !== undefined) || b.score - a.score)
    .slice(0, maxShown)
  const blocked = entries.filter(entry => entry.blocked !== undefined)
  return [
    // Sections are in the order of their best entries.
    ...groupIntoSections(entries.filter(entry => entry.blocked === undefined)),
    ...(blocked.length > 0 ? [{ title: 'Unavailable', entries: blocked }] : []),
  ]
}

const toMatch = (
  { command, label, blocked }: SearchableCommand,
  score: number,
  nameScore = 0,
  nameQuery = '',
  inlineArguments?: InlineArguments,
): CommandMatch => ({
  command,
  label,
  blocked,
  score,
  nameScore,
  nameQuery,
  inlineArguments,
})

/**
 * Returns the best match of a command: the whole query as its name, or the start as its name and the rest as its
 * arguments.
 */
function bestMatch(
  text: string,
  words: readonly Word[],
  searchable: SearchableCommand,
  options: ParseOptions,
): CommandMatch | undefined {
  const { command, blocked, boost } = searchable
  const whole = nameScoreOf(text, searchable)
  const plain = whole > 0 ? toMatch(searchable, whole + boost, whole, text) : undefined
  const [first] = words
  if (!first || words.length < 2 || takesFile(command)) return plain
  if (command.fields.length === 0 && !canBeJob(command)) return plain
  // The first word, at least, has to match the name.
  if (nameScoreOf(first.text, searchable) === 0) return plain
  let best = plain
  for (let nameWords = words.length - 1; nameWords > 0; nameWords--) {
    const nameQuery = text.slice(0, words[nameWords - 1]?.end).trim()
    const score = nameScoreOf(nameQuery, searchable)
    if (score === 0) continue
    const inlineArguments = parseInlineArguments(words.slice(nameWords), command, options)
    const { parsed, unparsed, ambiguous, policy } = inlineArguments
    // A command without arguments takes only a policy.
    if (command.fields.length === 0 && policy === undefined) continue
    // If no word can be parsed, the query is probably for another command.
    if (
      parsed.length === 0 &&
      !ambiguous &&
      policy === undefined &&
      (blocked !== undefined || score < minScoreWithoutArguments)
    )
      continue
    // If the whole query is the name, a guess at arguments is not better.
    if (plain && score < wholeNameScore && !isCertain(inlineArguments)) continue
    const wrong = unparsed.length + (policy && 'problem' in policy ? 1 : 0)
    const penalty = unparsedPenalty * wrong + (isOnlyFreeText(inlineArguments) ? freeTextPenalty : 0)
    const total = score - 1 + boost - penalty
    if (total > (best?.score ?? 0)) best = toMatch(searchable, total, score, nameQuery, inlineArguments)
    // Fewer words for the name would leave more for the arguments, which cannot be parsed better than all.
    if (unparsed.length === 0) break
  }
  return best
}

/** Whether each word is the value of a field that not every word could be. */
const isCertain = (found: InlineArguments): boolean =>
  found.unparsed.length === 0 && !found.ambiguous && !isOnlyFreeText(found)

/** Whether all parsed arguments are free text, which accepts any word. */
const isOnlyFreeText = ({ parsed, ambiguous, policy }: InlineArguments): boolean =>
  !ambiguous && policy === undefined && parsed.every(({ field }) => controlOf(field).kind === 'text')

const titles = [...new Set((Object.keys(groups) as Group[]).map(sectionTitle))]

function groupIntoSections(entries: readonly CommandMatch[]): readonly Section[] {
  const sections = new Map<string, CommandMatch[]>()
  for (const entry of entries) {
    const title = sectionTitle(entry.command.group)
    const section = sections.get(title)
    if (section) section.push(entry)
    else sections.set(title, [entry])
  }
  return [...sections].map(([title, list]) => ({ title, entries: list }))
}
