/** Following a link to a command: the palette opens at it, and nothing runs before Enter. */
import { ApiError } from '../../../api/errors.ts'
import { pendingLink, clearPendingLink, type PendingLink } from '../../../store/pendingLink.ts'
import { signedInRole } from '../../../store/session.ts'
import { placeOf } from '../../../domain/lists/routes.ts'
import { findCommand } from '../../core/registry.ts'
import { withTargets, currentContext } from '../../core/context.ts'
import { errorMessages } from '../../core/execution/execute.ts'
import { linkArguments } from '../../links/arguments.ts'
import { linkTargets } from '../../links/targets.ts'
import { linkable, parseLink } from '../../links/links.ts'
import { runCommand } from '../run/run.ts'
import { toastProgress } from '../toasts/progress.tsx'
import { toastError } from '../toasts/toasts.tsx'

let following = false

/** Follows the link that waits, where there is one: once, and for whom it finds signed in. */
export async function openLink(go: (path: string) => void): Promise<void> {
  const asked = pendingLink()
  if (!asked || following || !signedInRole()) return
  following = true
  try {
    await follow(asked, go)
  } finally {
    following = false
  }
}

async function follow(asked: PendingLink, go: (path: string) => void): Promise<void> {
  const link = parseLink(asked.search)
  // Whoever signed in just now stands elsewhere.
  if (asked.path !== window.location.pathname && placeOf(asked.path) !== undefined) go(asked.path)
  const command = link && findCommand(link.command)
  if (!link || !linkable(command)) {
    clearPendingLink()
    return toastError(`The link asks for “${link?.command.slice(0, 60)}”, and there is no such command`)
  }
  if (command.availability(currentContext()).is === 'hidden') {
    clearPendingLink()
    return toastError(`The link asks for “${command.title}”, which is not for your role`)
  }
  const progress = toastProgress('Opening the link')
  try {
    const targets = await linkTargets(link, command.entity, progress)
    const { items, problems } = targets
    const context = currentContext()
    const on = items ? withTargets(context, command.entity, items) : context
    const given = await linkArguments(link, command, on, progress.signal)
    // The session may have ended meanwhile: then it waits for the next one.
    if (!signedInRole()) return
    clearPendingLink()
    for (const problem of problems) toastError(problem)
    if (items?.length === 0) return
    progress.end()
    void runCommand(command, {
      ...(items && { targets: items }),
      start: {
        input: given.input,
        ...(given.names && { names: given.names }),
        ...(given.typed && { typed: given.typed }),
        ...(given.problems.length > 0 && { problem: given.problems.join('. ') }),
        optional: false,
        waits: true,
      },
    })
  } catch (error) {
    if (!signedInRole()) return
    // Out of reach: it waits for the page to be loaded anew.
    if (!(error instanceof ApiError) || error.status !== 0) clearPendingLink()
    for (const message of errorMessages(error)) toastError(message)
  } finally {
    progress.end()
  }
}
