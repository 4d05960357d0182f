import type { ShownFailure } from '../../domain/commands/failures.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { Command } from './types.ts'

/** Returns the failed targets of a run as they are shown: those for which `reasonOf` returns a reason. */
export const shownFailures = (
  command: Pick<Command, 'blockingDevices'> | undefined,
  targets: readonly AnyItem[],
  reasonOf: (target: AnyItem) => string | undefined,
): readonly ShownFailure[] =>
  targets.flatMap(item => {
    const message = reasonOf(item)
    return message === undefined
      ? []
      : [{ id: item.id, name: item.name, message, blockingDevices: command?.blockingDevices?.(item) }]
  })
