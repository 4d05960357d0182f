/** Ending the session. */
import { clearCache } from '../../api/cache.ts'
import { signIn } from '../../api/client.ts'
import { auth } from '../../api/contract/auth.ts'
import { calendar, forgetCalendar } from '../../store/calendar.ts'
import { charts, showTime } from '../../store/charts.ts'
import { clearDrafts } from '../../store/drafts.ts'
import { resetFocus } from '../../store/focus.ts'
import { resetLists } from '../../store/lists.ts'
import { notices } from '../../store/notices.ts'
import { closeOverlays } from '../../store/overlays.ts'
import { clearStored } from '../../store/persist.ts'
import { clearSelections } from '../../store/selection.ts'
import { owner, session } from '../../store/session.ts'
import { defineCommand } from '../core/command.ts'
import { clearLastRun } from '../core/runs/lastRun.ts'
import { anyRunning, forgetJobs } from '../core/runs/jobs.ts'
import { nothing } from '../core/needs.ts'
import { scriptRuns } from '../scripts/running.ts'

export const sessionCommands = [
  defineCommand({
    id: 'session.logout',
    title: 'Logout',
    group: 'account',
    icon: 'logout',
    keys: 'g q',
    keywords: ['sign out', 'log out', 'quit'],
    on: ['account'],
    endpoint: auth.logout,
    needs: nothing,
    confirm: () =>
      anyRunning() || scriptRuns.running
        ? {
            title: 'Logout while commands run?',
            text: 'What has not been sent yet is cancelled. What is done stays done.',
            action: 'Logout',
            type: undefined,
            danger: true,
          }
        : undefined,
    async run(_, __, { call, go }) {
      // A failed logout is ignored: the session ends here whatever the server says.
      await call(auth.logout).catch(() => undefined)
      endSession()
      go('/login')
    },
  }),
]

/** What one person searched for and selected is not for the next who signs in at this browser. */
export async function beginSession(login: string, password: string): Promise<void> {
  await signIn(login, password)
  if (owner.id !== session.userId) resetUserState()
  owner.id = session.userId
}

/** Clears all stored state: the session, the lists, the selection, what was chosen. */
function endSession(): void {
  closeOverlays()
  resetUserState()
  clearStored()
}

export function resetUserState(): void {
  clearSelections()
  resetLists()
  resetFocus()
  clearLastRun()
  forgetJobs()
  forgetCalendar()
  clearDrafts()
  calendar.onlySelected = false
  showTime({ until: undefined, at: undefined })
  Object.assign(charts, { only: undefined, chosen: [], hidden: [], enlarged: undefined })
  Object.assign(notices, { hidden: [], onlySelected: false })
  clearCache()
}
