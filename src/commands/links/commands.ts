/** The command that copies a link to another command. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { roles } from '../../domain/roles.ts'
import { bssidInPath } from '../../domain/lists/routes.ts'
import { absoluteUrl } from '../../store/address.ts'
import { selections } from '../../store/selection.ts'
import { commands, findCommand } from '../core/registry.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices } from '../core/types.ts'
import type { Context } from '../core/context.ts'
import { countOf } from '../core/wording.ts'
import { formatLink, isLinkable, maxLinkLength, parseLink, type Link } from './links.ts'
import { bestScore } from '../arguments/rank.ts'

const commandChoices: Choices = (context, query) =>
  commands
    .filter(command => isLinkable(command) && command.availability(context).is !== 'hidden')
    .map(command => ({ command, score: bestScore(query, command.title, command.keywords) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => ({ value: command.id, name: command.title, detail: command.id }))

/** Returns the link with the current selection, unless it has targets already. */
function withTargets(link: Link, context: Context): Link {
  const entity = findCommand(link.command)?.entity
  if (!entity || link.ids || link.match) return link
  // On a device screen the target is that device, not the selection.
  const query = bssidInPath(context.path) === undefined ? selections[entity].query : undefined
  if (query) return { ...link, match: query }
  const ids = context.targets(entity).map(({ id }) => id)
  return ids.length > 0 ? { ...link, ids } : link
}

export const linkCommands = [
  defineCommand({
    id: 'link.copy',
    title: 'Copy link to command',
    group: 'view',
    selection: 'reads',
    icon: 'copy',
    keys: 'mod+shift+l',
    keywords: ['share', 'url', 'address', 'send'],
    roles,
    needs: context => ({ target: context }),
    // The query string of a link without `cmd=`: the command's id and its arguments.
    args: z.object({ command: withMeta(z.string().check(z.minLength(1)), { label: 'Command' }) }),
    choices: { command: commandChoices },
    async run(context, { command: text }, { copy }) {
      const link = parseLink(`cmd=${text}`)
      const command = link && findCommand(link.command)
      if (!link || !isLinkable(command)) throw new Error(`There is no command ${link?.command ?? text}`)
      const complete = withTargets(link, context)
      const urlOf = (one: Link) => absoluteUrl(`${context.path}?${formatLink(one)}`)
      const tooLong = urlOf(complete).length > maxLinkLength
      const url = urlOf(tooLong ? { ...complete, ids: undefined } : complete)
      await copy(url, url)
      return tooLong && command.entity
        ? `Link copied without the ${countOf(complete.ids?.length ?? 0, command.entity)}: a link cannot contain that many. Select them after opening it`
        : `Link to “${command.title}” copied`
    },
  }),
]
