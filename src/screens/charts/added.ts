import { subscribe } from 'valtio'
import { charts } from '../../store/charts.ts'
import { selections, selectionState } from '../../store/selection.ts'

/**
 * While the charts are on screen, what is added to the selection is charted as well: beside those that were chosen, and
 * where one was shown alone, with all that are selected. Returns how to stop.
 */
export function chartWhatIsAdded(): () => void {
  const idsOf = () => new Set(selections.devices.items().map(({ id }) => id))
  let before = idsOf()
  const look = () => {
    const now = idsOf()
    const added = [...now].filter(id => !before.has(id))
    before = now
    if (added.length === 0) return
    charts.only = undefined
    if (charts.chosen.length > 0) charts.chosen = [...new Set([...charts.chosen, ...added])]
  }
  return subscribe(selectionState, look, true)
}
