/** The progress of the guided tour. Not stored: a reload ends the tour, and it never starts by itself. */
import { proxy } from 'valtio'

interface Tour {
  /** The index of the current step, the number of steps at the end, or undefined while there is no tour. */
  step: number | undefined
  /** Whether its steps are those for a touch screen. */
  isTouch: boolean
}

export const tour = proxy<Tour>({ step: undefined, isTouch: false })
