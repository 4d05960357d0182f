/** Defines the commands that move a focus: between the rows of a list or the points in time of a chart. */
import type { Role } from '../../domain/roles.ts'
import { definePlainCommand } from './buildCommand.ts'
import type { Needs, Services } from './types.ts'
import type { Presentation } from './presentation.ts'

export interface Move<Name extends string = string> {
  readonly name: Name
  readonly title: string
  readonly keys: string | readonly string[]
  /** The distance; infinite for the first and the last. */
  readonly by: number
  /** The short label in the status bar; undefined if it is not shown there. */
  readonly short?: string | undefined
}

type Scope<Target> = Omit<Presentation, 'id' | 'title' | 'keys' | 'short' | 'keysOnly'> & {
  readonly roles: readonly Role[]
  readonly needs: Needs<Target>
}

/** Returns a command `<prefix>.<name>` for each move, which is run only by its keys. */
export const moveCommands = <const Prefix extends string, const Name extends string, Target>(
  prefix: Prefix,
  scope: Scope<Target>,
  moves: readonly Move<Name>[],
  moveBy: (target: Target, by: number, services: Services) => void | Promise<void>,
) =>
  moves.map(({ name, title, keys, by, short }) =>
    definePlainCommand({
      ...scope,
      id: `${prefix}.${name}` as const,
      title,
      keys,
      ...(short !== undefined && { short, on: [...(scope.on ?? []), 'status'] as const }),
      keysOnly: true,
      run: (target, _, services) => moveBy(target, by, services),
    }),
  )

/** Returns the moves between the rows of a list. */
export const rowMoves = (titles: {
  readonly down: string
  readonly up: string
  readonly first: string
  readonly last: string
  readonly pageDown: string
  readonly pageUp: string
}): readonly Move<'down' | 'up' | 'first' | 'last' | 'pageDown' | 'pageUp'>[] => [
  { name: 'down', title: titles.down, keys: ['j', 'ArrowDown'], by: 1, short: 'down' },
  { name: 'up', title: titles.up, keys: ['k', 'ArrowUp'], by: -1, short: 'up' },
  { name: 'first', title: titles.first, keys: 'Home', by: -Infinity },
  { name: 'last', title: titles.last, keys: 'End', by: Infinity },
  { name: 'pageDown', title: titles.pageDown, keys: 'PageDown', by: 10 },
  { name: 'pageUp', title: titles.pageUp, keys: 'PageUp', by: -10 },
]
