/** What a command is called among all of them: several do the same to different things, or on different screens. */
import { nounsOf } from '../../domain/lists/lists.ts'
import type { Route } from '../../domain/lists/route.ts'
import { routes, type Place } from '../../domain/lists/routes.ts'
import { commands } from './registry.ts'
import type { Command } from './types.ts'

/** Its title, and where somebody has another that is called the same, what it is about. */
export function displayName({ id, title, entity, place, roles }: Command): string {
  const about = entity ? nounsOf(entity)[1] : place && placeName(place)
  const same = (other: Command) =>
    other.title === title && other.id !== id && other.roles.some(role => roles.includes(role))
  return about && commands.some(same) ? `${title} (${about})` : title
}

const placeName = (place: Place): string | undefined =>
  (routes as Readonly<Partial<Record<Place, Route>>>)[place]?.title.toLowerCase()
