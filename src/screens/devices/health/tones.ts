/** The colours of the states of health. */
import type { HealthCondition } from '../../../domain/columns/health.ts'
import type { Tone } from '../../../domain/device.ts'

export const healthTones: Readonly<Record<HealthCondition, Tone>> = {
  good: 'ok',
  watch: 'warn',
  act: 'bad',
  learning: 'mute',
}

/** Classes of bars. */
export const healthBars: Readonly<Record<HealthCondition, string>> = {
  good: 'bg-ok',
  watch: 'bg-warn',
  act: 'bg-bad',
  learning: 'bg-mute-soft',
}
