/** Opens links to commands: the palette shows the command with its arguments, and runs nothing before Enter. */
import { ApiError } from '../../../api/errors.ts'
import { pendingLink, clearPendingLink, type PendingLink } from '../../../store/pendingLink.ts'
import { signedInRole } from '../../../store/session.ts'
import { screenAt } from '../../../domain/lists/routes.ts'
import { findCommand } from '../../core/registry.ts'
import { withTargets, currentContext } from '../../core/context.ts'
import { linkArguments, linkPolicy } from '../../links/arguments.ts'
import { linkTargets } from '../../links/targets.ts'
import { isLinkable, parseLink } from '../../links/links.ts'
import { runCommand } from '../run/run.ts'
import { toastProgress } from '../toasts/progress.tsx'
import { toastError, toastFailure } from '../toasts/toasts.tsx'

let isOpening = false

/** Opens the pending link, if there is one and someone is signed in. `go` navigates to its path. */
export async function openLink(go: (path: string) => void): Promise<void> {
  const pending = pendingLink()
  if (!pending || isOpening || !signedInRole()) return
  isOpening = true
  try {
    await open(pending, go)
  } finally {
    isOpening = false
  }
}

async function open(pending: PendingLink, go: (path: string) => void): Promise<void> {
  const link = parseLink(pending.search)
  // Signing in has navigated to another page.
  if (pending.path !== window.location.pathname && screenAt(pending.path) !== undefined) go(pending.path)
  const command = link && findCommand(link.command)
  if (!link || !isLinkable(command)) {
    clearPendingLink()
    return toastError(`The link’s command “${link?.command.slice(0, 60)}” does not exist`)
  }
  if (command.availability(currentContext()).is === 'hidden') {
    clearPendingLink()
    return toastError(`The link’s command “${command.title}” is not available to your role`)
  }
  const policy = linkPolicy(link, command)
  if (policy && 'problem' in policy) {
    clearPendingLink()
    return toastError(`The link’s policy for “${command.title}” is wrong: ${policy.problem}`)
  }
  const progress = toastProgress('Opening the link')
  try {
    const targets = await linkTargets(link, command, progress)
    const { items, problems } = targets
    const context = currentContext()
    const linkContext = items ? withTargets(context, command.entity, items) : context
    const args = await linkArguments(link, command, linkContext, progress.signal)
    // If the session has ended meanwhile, the link stays pending until the next sign-in.
    if (!signedInRole()) return
    clearPendingLink()
    for (const problem of problems) toastError(problem)
    if (items?.length === 0) return
    progress.end()
    void runCommand(command, {
      ...policy,
      ...(items && { targets: items, search: link.ids ? undefined : link.match }),
      start: {
        input: args.input,
        ...(args.names && { names: args.names }),
        ...(args.typed && { typed: args.typed }),
        ...(args.problems.length > 0 && { problem: args.problems.join('. ') }),
        optional: false,
        needsEnter: true,
      },
    })
  } catch (error) {
    if (!signedInRole()) return
    // If the server cannot be reached, the link stays pending until the page is reloaded.
    if (!(error instanceof ApiError) || error.status !== 0) clearPendingLink()
    toastFailure(error)
  } finally {
    progress.end()
  }
}
