/** The open finding that a device's screen shows: there, commands on findings act on it. */
import { proxy } from 'valtio'
import type { RowItem } from './selection.ts'

export const openFinding = proxy<{ item: RowItem | undefined }>({ item: undefined })
