/** What the parts of the score are called where no cause is known. Apart from other texts, as the first screen needs them. */
import type { ScorePart } from '../types/assessment.ts'

export const partNames: Readonly<Record<ScorePart, string>> = {
  a: 'Less flow',
  b: 'More salt',
  h: 'Less pressure',
  life: 'Cartridge life',
  finding: 'Finding',
}
