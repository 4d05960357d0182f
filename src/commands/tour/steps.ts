/** The steps of the guided tour: each asks for a command and ends when that command runs, by its keys or by mouse. */
import { observeRuns } from '../core/runObserver.ts'
import type { CommandId } from '../core/commandId.ts'
import { tour } from './state.ts'

export interface TourStep {
  readonly command: CommandId
  /** What the command does, after its keys: `Press j` `to move to the first device`. */
  readonly text: string
}

export const tourSteps: readonly TourStep[] = [
  { command: 'list.down', text: 'to move to the first device' },
  { command: 'list.toggleRow', text: 'to select it. Most commands act on the selected devices' },
  { command: 'device.flush', text: 'to flush it. This rinses its membrane and changes no setting' },
  { command: 'list.escape', text: 'to clear the selection' },
  { command: 'list.focusSearch', text: 'to search the list. Type a part of an id' },
  { command: 'view.palette', text: 'to open the palette. It has every command, and finds devices too' },
  { command: 'go.charts', text: 'to open the charts. Close the palette with Esc first' },
  { command: 'view.keys', text: 'to see all keys, at any time' },
]

let isObserving = false

/** Starts the tour with its first step. */
export function startTour(): void {
  if (!isObserving)
    observeRuns(({ id }) => {
      if (tour.step !== undefined && tourSteps[tour.step]?.command === id) tour.step++
      return () => undefined
    })
  isObserving = true
  tour.step = 0
}
