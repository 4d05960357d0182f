/** The names of commands in lists of all commands, where several may have the same title. */
import { nounsOf } from '../../domain/lists/lists.ts'
import type { Route } from '../../domain/lists/route.ts'
import { routes, type ScreenId } from '../../domain/lists/routes.ts'
import { commands } from './registry.ts'
import type { Command } from './types.ts'

/** Returns the command's title, followed by its entity or screen if a role has another command with that title. */
export function displayName({ id, title, entity, screen, roles }: Command): string {
  const about = entity ? nounsOf(entity)[1] : screen && screenName(screen)
  const same = (other: Command) =>
    other.title === title && other.id !== id && other.roles.some(role => roles.includes(role))
  return about && commands.some(same) ? `${title} (${about})` : title
}

const screenName = (screen: ScreenId): string | undefined =>
  (routes as Readonly<Partial<Record<ScreenId, Route>>>)[screen]?.title.toLowerCase()
