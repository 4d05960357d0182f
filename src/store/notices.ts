/** Which notifications are shown, and how many a person has not seen. */
import { proxy } from 'valtio'
import * as z from 'zod/mini'
import { persist } from './persist.ts'

interface Notices {
  /** Types that are not shown; all 24 are enabled by default. */
  hidden: string[]
  /** Only those of the devices that are selected. */
  onlySelected: boolean
  /** The one that keys act on, by its id. */
  focused: string | undefined
}

export const notices = proxy<Notices>({ hidden: [], onlySelected: false, focused: undefined })
persist('notices', notices, z.partial(z.object({ hidden: z.array(z.string()), onlySelected: z.boolean() })))
