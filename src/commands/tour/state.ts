/** The progress of the guided tour. Not stored: a reload ends the tour, and it never starts by itself. */
import { proxy } from 'valtio'

/** The index of the current step, the number of steps at the end, or undefined while there is no tour. */
export const tour = proxy<{ step: number | undefined }>({ step: undefined })
