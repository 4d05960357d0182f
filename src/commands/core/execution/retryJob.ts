/** Retries a job of the server by a new one, whose parent it is. Loaded when first needed. */
import { createRetry, policyToRetry, previewRetry } from '../../../api/jobs/jobs.ts'
import type { Question } from '../../../domain/commands/question.ts'
import type { AnyItem } from '../../../store/selection.ts'
import type { Outcome } from '../runs/outcome.ts'
import type { BulkOperation, Command } from '../types.ts'
import { countOf, nameOrCount } from '../wording.ts'
import { idsOf } from './unreadMatches.ts'
import { formatNumber } from '../../../domain/format.ts'

interface RetryOptions {
  /** The reason of the devices to retry; null for all that did not do it. */
  readonly reason?: string | null
  /** The title of the job, if it is not the command's: of an undo. */
  readonly title?: string
  /** What the preview says about the retry. */
  readonly text?: string
  /** Called with the id of the new job. */
  readonly onCreated?: (id: string) => void
}

/**
 * Returns a command that retries a job of this command. `all`: the targets that did not do it, as
 * the page knows them. The server retries those that it has recorded.
 */
export function retryCommand(
  command: Command,
  id: string,
  all: readonly AnyItem[],
  { reason = null, title, text, onCreated }: RetryOptions = {},
): Command {
  const name = title ?? command.title
  const operation: BulkOperation = {
    job: {
      isRetry: true,
      initialPolicy: () => policyToRetry(id),
      preview: (_ids, policy, signal) => previewRetry({ id, reason, policy }, signal),
      async create(_ids, policy) {
        const created = await createRetry({ id, reason, policy })
        onCreated?.(created)
        return created
      },
    },
  }
  return {
    ...command,
    title: name,
    prepare(context, input) {
      const call = command.prepare(context, input)
      const { entity = 'devices' } = command
      const targets = context.targets(entity)
      const question: Question | undefined =
        call.question || all.length > 1
          ? {
              type: undefined,
              danger: false,
              ...call.question,
              title: `Retry “${name}”: ${nameOrCount(all, entity)}`,
              text: [call.question?.text, text].filter(Boolean).join(' '),
              action: `Retry ${countOf(targets.length, entity)}`,
            }
          : undefined
      return {
        ...call,
        question,
        operation,
        run: services => services.carryOut(operation, idsOf(targets)),
        ...(title !== undefined && { done: outcome => doneText(title, outcome) }),
      }
    },
  }
}

const doneText = (title: string, { done, failed }: Outcome): string =>
  `${title}: ${formatNumber(done.length)} of ${countOf(done.length + failed.length, 'devices')} done`
