/** Needs of the commands for the console's appearance. */
import { screenAt } from '../../domain/lists/routes.ts'
import { screensWithPanel } from '../../store/layout.ts'
import type { Needs } from '../core/types.ts'

/** Needs a screen with a side panel. */
export const hasPanel: Needs<undefined> = ({ list, path }) =>
  list || screensWithPanel.has(screenAt(path)) ? { target: undefined } : { blocked: 'This screen has no side panel' }
