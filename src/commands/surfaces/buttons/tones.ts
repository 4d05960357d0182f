/** The text and background classes of each tone. */
import type { Tone } from '../../../domain/device.ts'

export const toneClasses: Readonly<Record<Tone, string>> = {
  ok: 'text-ok bg-ok-soft',
  busy: 'text-busy bg-busy-soft',
  mute: 'text-ink2 bg-mute-soft',
  warn: 'text-warn bg-warn-soft',
  bad: 'text-bad bg-bad-soft',
}
