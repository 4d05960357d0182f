/** Scripts as commands, which the palette finds, keys run, and which prompt for arguments like other commands. */
import * as z from 'zod/mini'
import { metaOf, withMeta } from '../../api/contract/fields.ts'
import { roles as allRoles } from '../../domain/roles.ts'
import type { SavedScript } from '../../store/scripts/scripts.ts'
import type { Entity } from '../../store/lists.ts'
import type { AnyItem } from '../../store/selection.ts'
import { findCommand } from '../core/registry.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices, Command, Needs } from '../core/types.ts'
import { argumentName } from './arguments.ts'
import { scriptRuns } from './running.ts'
import { listProblem } from './stepList.ts'
import { askedFields, changesServer, problemsOf } from './steps.ts'

export const commandIdOf = ({ id }: Pick<SavedScript, 'id'>): `script.${string}` => `script.${id}`

/** Returns the commands before the first one that may change the selection; their targets are known at the start. */
function leadingCommands({ steps }: Pick<SavedScript, 'steps'>): readonly Command[] {
  const commands = steps.map(step => findCommand(step.command))
  const end = commands.findIndex(command => !command || !changesServer(command))
  return commands.slice(0, end < 0 ? undefined : end).filter(command => command !== undefined)
}

/** Returns the entity that the first steps act on; undefined if the script selects its targets, or has none. */
export const targetEntity = (script: Pick<SavedScript, 'steps'>): Entity | undefined =>
  leadingCommands(script).find(({ entity }) => entity !== undefined)?.entity

/** Returns the command that runs the script; its arguments are those that the steps prompt for. */
export function commandFrom(script: SavedScript): Command {
  const { name, steps } = script
  const commands = steps.flatMap(step => findCommand(step.command) ?? [])
  const entity = targetEntity(script)
  const fields = steps.flatMap((step, index) => askedFields(step).map(field => ({ index, field, step })))
  const shape = Object.fromEntries(
    fields.map(({ index, field, step }) => {
      const title = findCommand(step.command)?.title ?? step.command
      return [
        argumentName(index, field.name),
        withMeta(field.schema, { ...metaOf(field.schema), label: `${title}: ${field.label}` }),
      ]
    }),
  )
  const choices: Partial<Record<string, Choices>> = Object.fromEntries(
    fields.flatMap(({ index, field }) => (field.choices ? [[argumentName(index, field.name), field.choices]] : [])),
  )
  const needs: Needs<readonly AnyItem[]> = context => {
    const [problem] = steps.flatMap((step, index) => problemsOf(step).map(wrong => `Step ${index + 1}: ${wrong}`))
    if (scriptRuns.running) return { blocked: 'Another script is running' }
    if (problem !== undefined) return { blocked: problem }
    const wrongList = listProblem(steps, 0, context)
    if (wrongList !== undefined) return { blocked: wrongList }
    for (const command of [...leadingCommands(script), ...commands.slice(0, 1)]) {
      const available = command.availability(context)
      if (available.is === 'blocked') return { blocked: available.reason }
    }
    return { target: entity ? context.targets(entity) : [] }
  }
  return defineCommand({
    id: commandIdOf(script),
    title: name,
    group: 'scripts',
    icon: 'script',
    recordable: false,
    keywords: ['script', ...commands.map(({ title }) => title)],
    ...(entity && { entity }),
    // Also without an entity: a later step may act on the selection.
    selection: 'reads',
    roles: allRoles.filter(role => commands.every(command => command.roles.includes(role))),
    needs,
    delegates: true,
    args: z.object(shape),
    choices,
    run: (items, args, { script: start }) => start({ script, args, targets: entity && { entity, items }, from: 0 }),
  })
}
