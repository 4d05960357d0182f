import { selections } from '../../store/selection.ts'

/** A device's colour wherever it is shown; of one that is not selected, the accent. */
export const colourOf = (bssid: string): string => selections.devices.colourOf(bssid) ?? 'var(--accent)'
