/** What commands on devices have in common: their target, and how they speak of it. */
import { offline } from '../domain/device.ts'
import { messages } from '../domain/messages.ts'
import type { Question } from '../store/overlays.ts'
import type { Pickable } from '../store/selection.ts'
import type { Outcome } from './command.ts'
import { someDevices } from './needs.ts'

export const idsOf = (targets: readonly Pickable[]): readonly string[] => targets.map(device => device.id)
export const countOf = (count: number, noun = 'device'): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

export const updated = (outcome: Outcome, total: number): string => messages.settingsUpdated(outcome.done.length, total)
export const doneOf =
  (verb: string) =>
  (outcome: Outcome, total: number): string =>
    `${verb} ${outcome.done.length.toLocaleString('en')} of ${countOf(total)}`

/** `7 now · 3 offline would be skipped`; nothing where none is known to be offline. */
function reachable(targets: readonly Pickable[]): string | undefined {
  const away = targets.filter(device => device.status === offline).length
  return away === 0 ? undefined : `${targets.length - away} now · ${away} offline would be skipped`
}

/** Of every command that many devices are asked to obey. */
export const onDevices = { needs: someDevices, preview: reachable, repeatable: true } as const

/** What interrupts water or can't be undone asks first, and says on how many. */
export const asks = (title: string, text: string, targets: readonly Pickable[]): Question => ({
  title: `${title} ${countOf(targets.length)}?`,
  text,
  action: `${title} ${countOf(targets.length)}`,
  type: undefined,
  danger: true,
})
