import { subscribe } from 'valtio'
import { charts, chosenAndSelected } from '../../store/charts.ts'
import { selections, selectionState } from '../../store/selection.ts'

/**
 * While the charts are on screen, charts devices that are added to the selection: in addition to chosen devices, or all
 * selected devices if a single one was shown. Returns a function that stops.
 */
export function chartAddedDevices(): () => void {
  const { devices } = selections
  /** The selected devices; undefined while the matches of the followed search have not been read. */
  let before: ReadonlySet<string> | undefined
  const update = () => {
    if (devices.query) return
    const earlier = before
    before = new Set(devices.items().map(({ id }) => id))
    if (!earlier) return
    const added = [...before].filter(id => !earlier.has(id))
    if (added.length === 0) return
    charts.onlyDevice = undefined
    const chosen = chosenAndSelected().filter(id => earlier.has(id))
    charts.chosenDevices = chosen.length > 0 ? [...chosen, ...added] : []
    charts.hiddenDevices = charts.hiddenDevices.filter(id => earlier.has(id))
  }
  update()
  return subscribe(selectionState, update, true)
}
