/** Signing out, and the state that belongs to a session. */
import { clearCache } from '../../api/cache.ts'
import { logout } from '../../api/contract/logout.ts'
import { calendar, resetCalendar } from '../../store/calendar.ts'
import { charts, showTime } from '../../store/charts.ts'
import { clearDrafts } from '../../store/drafts.ts'
import { resetFocus } from '../../store/focus.ts'
import { resetLists } from '../../store/lists.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { closeOverlays } from '../../store/overlays.ts'
import { clearStored } from '../../store/persist.ts'
import { clearSelections } from '../../store/selection.ts'
import { userResets } from '../../store/session.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { cancelTasks } from '../core/runs/activeTasks.ts'
import { clearLastRun } from '../core/runs/lastRun.ts'
import { hasRunningPageJobs, forgetJobs } from '../core/runs/jobs.ts'
import { hasRunningUploads, stopUploads } from '../core/runs/uploads.ts'
import { tour } from '../tour/state.ts'
import { nothing } from '../core/needs.ts'
import { scriptRuns } from '../scripts/running.ts'

/** Milliseconds to wait for the server's answer when logging out. */
const logoutTimeout = 5_000

export const sessionCommands = [
  defineCommand({
    id: 'session.logout',
    title: 'Logout',
    recordable: false,
    group: 'account',
    icon: 'logout',
    keys: 'g q',
    keywords: ['sign out', 'log out', 'quit'],
    on: ['account'],
    endpoint: logout,
    needs: nothing,
    confirm: () =>
      hasRunningPageJobs() || hasRunningUploads() || scriptRuns.running
        ? {
            title: 'Log out while commands are running?',
            text: hasRunningUploads()
              ? 'The secrets of the devices that are being uploaded are lost. Finished changes are kept.'
              : 'Unsent changes are cancelled. Finished changes are kept.',
            action: 'Logout',
            type: undefined,
            danger: true,
          }
        : undefined,
    async run(_, __, { call, go }) {
      // A failed request is ignored: this browser's session ends in any case.
      await call(logout, { signal: AbortSignal.timeout(logoutTimeout) }).catch(() => undefined)
      endSession()
      go('/login')
    },
  }),
]

/** Resets the user's state, also the one that is stored in the browser. */
function endSession(): void {
  resetUserState({ reload: false })
  clearStored()
}

/**
 * Clears everything that one person must not see of another: selections, searches, jobs, drafts, dialogs, cached data.
 * @param reload Whether the open screen is read again, because another person is signed in already.
 */
export function resetUserState({ reload }: { reload: boolean }): void {
  closeOverlays()
  stopUploads()
  cancelTasks()
  clearSelections()
  resetLists()
  resetFocus()
  clearLastRun()
  forgetJobs()
  resetCalendar()
  clearDrafts()
  calendar.onlySelected = false
  showTime({ until: undefined })
  Object.assign(charts, {
    onlyDevice: undefined,
    chosenDevices: [],
    hiddenDevices: [],
    highlightedDevice: undefined,
    enlargedChart: undefined,
  })
  Object.assign(notificationsView, { hidden: [], onlySelected: false, findings: true, unfolded: [] })
  tour.step = undefined
  userResets.count++
  clearCache({ reload })
}
