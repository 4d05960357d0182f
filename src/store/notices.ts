/** Which notifications are shown, and which of them keys act on. */
import { proxy, ref } from 'valtio'
import * as z from 'zod/mini'
import type { Notification } from '../api/contract/notifications.ts'
import { persist } from './persist.ts'

export interface NoticeInFocus {
  readonly notification: Notification
  /** What answers it, in a few words. */
  readonly answer: string
}

interface Notices {
  /** Types that are not shown; all 24 are enabled by default. */
  hidden: string[]
  /** Only those of the devices that are selected. */
  onlySelected: boolean
  /** The one that keys act on. */
  focused: NoticeInFocus | undefined
  /** Counts the moves of keys, so that the list gives the one in focus the browser's focus then, and only then. */
  moves: number
  /** How many are loaded. */
  loaded: number
  /** How many match; undefined while that is not known. */
  count: number | undefined
  /** How many have arrived above what is being read. */
  fresh: number
}

export const notices = proxy<Notices>({
  hidden: [],
  onlySelected: false,
  focused: undefined,
  moves: 0,
  loaded: 0,
  count: undefined,
  fresh: 0,
})
persist('notices', notices, z.partial(z.object({ hidden: z.array(z.string()), onlySelected: z.boolean() })))

/** `byKeys`: it is to get the browser's focus, and to be in sight. */
export function focusNotice(next: NoticeInFocus, byKeys: boolean): void {
  if (notices.focused?.notification._id !== next.notification._id) notices.focused = ref(next)
  if (byKeys) notices.moves++
}
