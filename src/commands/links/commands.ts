/** Sending others to a command. */
import * as z from 'zod/mini'
import { labelled } from '../../api/contract/fields.ts'
import { roles } from '../../domain/roles.ts'
import { deviceIn } from '../../domain/lists/routes.ts'
import { addressOf } from '../../store/address.ts'
import { selections } from '../../store/selection.ts'
import { commands, findCommand } from '../core/registry.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices } from '../core/types.ts'
import type { Context } from '../core/context.ts'
import { countOf } from '../core/wording.ts'
import { linkable, maxLinkLength, readLink, writeLink, type Link } from './links.ts'
import { bestScore } from '../arguments/rank.ts'

const commandChoices: Choices = (context, query) =>
  commands
    .filter(command => linkable(command) && command.availability(context).is !== 'hidden')
    .map(command => ({ command, score: bestScore(query, command.title, command.keywords) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => ({ value: command.id, name: command.title, detail: command.id }))

/** The link with what is selected now, where it says nothing of that itself. */
function withTargets(link: Link, context: Context): Link {
  const entity = findCommand(link.command)?.entity
  if (!entity || link.ids || link.match) return link
  // On a device's own screen it is that device.
  const query = deviceIn(context.path) === undefined ? selections[entity].query : undefined
  if (query) return { ...link, match: query }
  const ids = context.targets(entity).map(({ id }) => id)
  return ids.length > 0 ? { ...link, ids } : link
}

export const linkCommands = [
  defineCommand({
    id: 'link.copy',
    title: 'Copy link to a command',
    group: 'view',
    icon: 'copy',
    keys: 'mod+shift+l',
    keywords: ['share', 'url', 'address', 'send'],
    roles,
    needs: context => ({ target: context }),
    // As in an address, without `cmd=`: the id, and what goes with it.
    args: z.object({ command: labelled(z.string().check(z.minLength(1)), { label: 'Command' }) }),
    choices: { command: commandChoices },
    async run(context, { command }, { copy }) {
      const asked = readLink(`cmd=${command}`)
      const known = asked && findCommand(asked.command)
      if (!asked || !linkable(known)) throw new Error(`There is no command ${asked?.command ?? command}`)
      const whole = withTargets(asked, context)
      const address = (link: Link) => addressOf(`${context.path}?${writeLink(link)}`)
      const tooLong = address(whole).length > maxLinkLength
      const text = address(tooLong ? { ...whole, ids: undefined } : whole)
      await copy(text, text)
      return tooLong && known.entity
        ? `Link copied, but without the ${countOf(whole.ids?.length ?? 0, known.entity)}: so many do not fit in a link. Whoever opens it selects them first`
        : `Link to “${known.title}” copied`
    },
  }),
]
