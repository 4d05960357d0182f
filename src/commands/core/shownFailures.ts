import type { ShownFailure } from '../../domain/commands/failures.ts'
import type { AnyItem } from '../../store/selection.ts'
import type { Command } from './types.ts'

/** Returns those of a run's targets for which there is a reason why it failed, each as it is shown. */
export const shownFailures = (
  command: Pick<Command, 'inTheWay'> | undefined,
  targets: readonly AnyItem[],
  reasonOf: (target: AnyItem) => string | undefined,
): readonly ShownFailure[] =>
  targets.flatMap(item => {
    const message = reasonOf(item)
    return message === undefined ? [] : [{ id: item.id, name: item.name, message, see: command?.inTheWay?.(item) }]
  })
