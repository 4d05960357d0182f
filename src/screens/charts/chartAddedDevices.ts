import { subscribe } from 'valtio'
import { charts } from '../../store/charts.ts'
import { selections, selectionState } from '../../store/selection.ts'

/**
 * While the charts are on screen, charts devices that are added to the selection: in addition to chosen devices, or all
 * selected devices if a single one was shown. Returns a function that stops.
 */
export function chartAddedDevices(): () => void {
  const idsOf = () => new Set(selections.devices.items().map(({ id }) => id))
  let before = idsOf()
  const update = () => {
    const now = idsOf()
    const added = [...now].filter(id => !before.has(id))
    before = now
    if (added.length === 0) return
    charts.onlyDevice = undefined
    if (charts.chosenDevices.length > 0) charts.chosenDevices = [...new Set([...charts.chosenDevices, ...added])]
  }
  return subscribe(selectionState, update, true)
}
