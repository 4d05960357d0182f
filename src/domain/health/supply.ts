/** Changes that the devices of a supply share: the matter of the waterworks or the building, and of no device. */
import { median } from './maths/median.ts'
import { minNeighbours } from './residuals.ts'
import type { Channel } from './types/channels.ts'
import type { SupplyDay, SharedChange } from './types/supply.ts'

/** Days whose median is the present, and days before them with which it is compared, with a gap between. */
const now = 3
const gap = 4
const past = 21
/** Smallest change that counts, as ln, and the share of it below which it has ended. */
export const sharedSizes = { f: 0.25, p: 0.18 } as const
const endedBelow = 0.5

const causes = { f: 'feed_water', p: 'feed_pressure' } as const

/** Returns the shared changes of a supply from its days, oldest first; `ended` is absent while one goes on. */
export function sharedChanges(days: readonly SupplyDay[]): SharedChange[] {
  return (['f', 'p'] as const)
    .flatMap(channel => changesOf(channel, days))
    .toSorted((one, other) => one.began - other.began)
}

function changesOf(channel: Channel & ('f' | 'p'), all: readonly SupplyDay[]): SharedChange[] {
  const days = all.filter(({ medians }) => (medians[channel]?.n ?? 0) >= minNeighbours)
  const values = days.map(({ medians }) => medians[channel]!.median)
  const changes: SharedChange[] = []
  let open: (Omit<SharedChange, 'cause' | 'value'> & { before: number; value: number }) | undefined
  for (let at = now + gap + 5; at <= values.length; at++) {
    const present = median(values.slice(at - now, at))
    const day = days[at - 1]!
    if (open !== undefined) {
      const change = present - open.before
      if (Math.abs(change) > Math.abs(open.value)) open.value = change
      if (Math.abs(change) >= endedBelow * sharedSizes[channel]) continue
      changes.push({ cause: causes[channel], ...fieldsOf(open), ended: day.day })
      open = undefined
      continue
    }
    const before = median(values.slice(Math.max(0, at - now - gap - past), at - now - gap))
    const change = present - before
    if (Math.abs(change) < sharedSizes[channel]) continue
    const first = values.findIndex(
      (value, index) => index >= at - now - gap && Math.abs(value - before) > Math.abs(change) / 2,
    )
    const began = days[Math.max(first, at - now - gap)]!.day
    open = { before, began, found: day.day, value: change, devices: day.medians[channel]!.n }
  }
  if (open !== undefined) changes.push({ cause: causes[channel], ...fieldsOf(open) })
  return changes
}

const fieldsOf = ({ began, found, value, devices }: Omit<SharedChange, 'cause'>) => ({ began, found, value, devices })
