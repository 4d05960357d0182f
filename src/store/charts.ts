/** What the charts show. */
import { proxy } from 'valtio'
import * as z from 'zod/mini'
import { persist } from './persist.ts'

interface Charts {
  range: 'day' | 'week' | 'month' | 'year'
  /** ISO time that is in the last day shown, or ends it; undefined is now. */
  until: string | undefined
  /** Whose days: the viewer's, or each device's own. */
  zone: 'viewer' | 'device'
  /** Only this device (a bssid), whatever is selected: from a notification or from its own screen. */
  only: string | undefined
  /** ISO time of the cursor that all charts share. */
  at: string | undefined
}

export const charts = proxy<Charts>({
  range: 'day',
  until: undefined,
  zone: 'viewer',
  only: undefined,
  at: undefined,
})
persist(
  'charts',
  charts,
  z.partial(z.object({ range: z.enum(['day', 'week', 'month', 'year']), zone: z.enum(['viewer', 'device']) })),
)
