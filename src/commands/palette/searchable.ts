/** The commands as the palette searches them, and how well a text matches the name of one. */
import { nounsOf } from '../../domain/lists/lists.ts'
import { screenAt } from '../../domain/lists/routes.ts'
import type { Entity } from '../../store/lists.ts'
import { bestScore, matchScore, typoScore, usageScore, wordStartScore } from '../arguments/rank.ts'
import { appliesHere, leadsHere, type Context } from '../core/context.ts'
import { displayName } from '../core/displayName.ts'
import { commands } from '../core/registry.ts'
import type { Command } from '../core/types.ts'
import { contextBoost } from './contextBoost.ts'
import { usageOf } from './recents.ts'

/** A command with its state when the palette opened, or since the selection has changed. */
export interface SearchableCommand {
  readonly command: Command
  readonly label: string
  /** The texts that are searched besides its label. */
  readonly names: readonly string[]
  /** Label, names, the noun of its list and, of a screen, verbs that go there: words of a query may be spread over them. */
  readonly allWords: string
  /** The reason why it is blocked. */
  readonly blocked: string | undefined
  /** Whether it applies to this screen; if not, browsing leaves it out, and only a search finds it. */
  readonly here: boolean
  /** Whether it belongs to this screen alone. */
  readonly ofScreen: boolean
  /** The scores for context and usage. */
  readonly boost: number
  /** The time of the last run in epoch milliseconds. */
  readonly usedAt: number | undefined
}

/** The penalty for a noun beside the name: less than the ten between two kinds of matches. */
const nounPenalty = 2
/** The score of words that are spread over name and keywords: less than all in one of them, and more than a typo. */
export const spreadScore = typoScore + 2

/** Other words for the first word of a title. */
const synonyms: Readonly<Record<string, string>> = {
  Create: 'new add',
  Delete: 'remove',
  Edit: 'change update',
  Change: 'edit update',
  Rename: 'edit change',
}
const goVerbs = 'open show view go to'

/** Returns the words over which a query may be spread. */
function wordsOf({ title, entity, group }: Command, texts: readonly string[]): string {
  const [verb = ''] = title.split(' ', 1)
  const nouns = entity ? nounsOf(entity) : []
  return [...texts, ...nouns, synonyms[verb] ?? '', group === 'go' ? goVerbs : ''].join(' ')
}

/** Returns all commands that the person may run, with their state. */
export function searchableCommands(context: Context, now: number): readonly SearchableCommand[] {
  const boostOf = contextBoost(context)
  return commands
    .filter(command => !command.keysOnly)
    .flatMap((command): readonly SearchableCommand[] => {
      const availability = command.availability(context)
      if (availability.is === 'hidden') return []
      const title = command.label(context)
      const label = title === command.title ? displayName(command) : title
      const usage = usageOf(command.id)
      const names = [...(label === command.title ? [] : [command.title]), ...(command.keywords ?? [])]
      return [
        {
          command,
          label,
          names,
          allWords: wordsOf(command, [label, ...names]),
          blocked: availability.is === 'blocked' ? availability.reason : undefined,
          here: appliesHere(command, context) && !leadsHere(command, context),
          ofScreen: command.screen !== undefined && command.screen === screenAt(context.path),
          boost: usageScore(usage, now) + boostOf(command),
          usedAt: usage?.at,
        },
      ]
    })
}

/**
 * Returns how well a text matches a command's name. The noun of its list may stand beside the name, as in `lock device`, and
 * the words may be spread over name and keywords, as in `new API key`.
 */
export function nameScoreOf(text: string, { command, label, names, allWords }: SearchableCommand): number {
  const score = bestScore(text, label, names)
  if (score >= wordStartScore || !text.includes(' ')) return score
  const rest = command.entity && withoutNoun(text, command.entity)
  const withNoun = rest === undefined ? 0 : bestScore(rest, label, names) - nounPenalty
  return Math.max(score, withNoun, matchScore(text, allWords) > typoScore ? spreadScore : 0)
}

/** Returns what is left of a text that starts or ends with the noun of a list; undefined for others. */
function withoutNoun(text: string, entity: Entity): string | undefined {
  const lower = text.toLowerCase()
  for (const noun of nounsOf(entity)) {
    if (lower.endsWith(` ${noun}`)) return text.slice(0, -noun.length).trimEnd()
    if (lower.startsWith(`${noun} `)) return text.slice(noun.length).trimStart()
  }
  return undefined
}
