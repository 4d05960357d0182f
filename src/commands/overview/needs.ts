/** Needs of the commands of the overview. */
import { overviewFocus } from '../../store/focus.ts'
import { signedInRole } from '../../store/session.ts'
import { onScreen, whenFound } from '../core/screenNeeds.ts'
import { loadedEntries } from './entries.ts'

/** The entries that have been loaded. */
export const someEntries = whenFound(
  onScreen('overview'),
  () => {
    const entries = loadedEntries(signedInRole())
    return entries.length > 0 ? entries : undefined
  },
  'The overview is still loading',
)
/** The focused entry; before any move, and once it is gone, the first one. */
export const focusedEntry = whenFound(
  someEntries,
  () => {
    const { entry } = overviewFocus
    const entries = loadedEntries(signedInRole())
    return entries.find(({ id }) => id === entry) ?? entries[0]
  },
  'Move to an entry first',
)
