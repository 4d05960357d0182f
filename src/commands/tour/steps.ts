/** The steps of the guided tour: each asks for a command and ends when that command runs, however it was started. */
import { observeRuns } from '../core/runObserver.ts'
import type { CommandId } from '../core/commandId.ts'
import { isTouch } from '../../store/platform.ts'
import { tour } from './state.ts'

export interface TourStep {
  readonly command: CommandId
  /** On a touch screen what to do, otherwise what the command does, after its keys: `Press j` `to move …`. */
  readonly text: string
}

const keySteps: readonly TourStep[] = [
  { command: 'list.down', text: 'to move to the first device' },
  { command: 'list.toggleRow', text: 'to select it. Most commands act on the selected devices' },
  { command: 'device.flush', text: 'to flush it. This rinses its membrane and changes no setting' },
  { command: 'list.escape', text: 'to clear the selection' },
  { command: 'list.focusSearch', text: 'to search the list. Type a part of an id' },
  { command: 'view.palette', text: 'to open the palette. It has every command, and finds devices too' },
  { command: 'go.charts', text: 'to open the charts. Close the palette with Esc first' },
  { command: 'view.keys', text: 'to see all keys, at any time' },
]
const touchSteps: readonly TourStep[] = [
  {
    command: 'list.toggleRow',
    text: 'Tap the box beside a device to select it. Most commands act on the selected devices',
  },
  { command: 'list.clearSelection', text: 'Tap Clear above the list to clear the selection' },
  { command: 'device.flush', text: 'Hold a device until its menu opens, and tap Flush. This rinses its membrane' },
  { command: 'view.palette', text: 'Tap Search at the top. It has every command, and finds devices too' },
  { command: 'go.charts', text: 'Open the navigation at the top left, and tap Charts' },
]

/** Returns the steps of the tour for a touch screen, or for a keyboard. */
export const tourSteps = (forTouch: boolean): readonly TourStep[] => (forTouch ? touchSteps : keySteps)

let isObserving = false

/** Starts the tour with its first step. */
export function startTour(): void {
  if (!isObserving)
    observeRuns(({ id }) => {
      if (tour.step !== undefined && tourSteps(tour.isTouch)[tour.step]?.command === id) tour.step++
      return () => undefined
    })
  isObserving = true
  tour.isTouch = isTouch()
  tour.step = 0
}
