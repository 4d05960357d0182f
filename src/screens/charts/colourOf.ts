import { selections } from '../../store/selection.ts'

/** Returns a device's colour; the accent colour if it is not selected. */
export const colourOf = (bssid: string): string => selections.devices.colourOf(bssid) ?? 'var(--accent)'
