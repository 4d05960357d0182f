/** The command that selects again what was selected before a run failed on some of it. */
import { roles } from '../../domain/roles.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { restorableSelection, restoreEarlierSelection, type EarlierSelection } from '../core/runs/earlierSelection.ts'
import type { Needs } from '../core/types.ts'
import { countOf } from '../core/wording.ts'

const anyEarlier: Needs<EarlierSelection> = () => {
  const earlier = restorableSelection()
  return earlier ? { target: earlier } : { blocked: 'No command has failed on some of its rows' }
}

export const selectEarlierCommands = [
  defineCommand({
    id: 'select.earlier',
    title: 'Restore selection before last command',
    group: 'list',
    inList: true,
    selection: 'changes',
    icon: 'reset',
    keys: 'a e',
    keywords: ['select', 'earlier', 'failed', 'again'],
    on: ['select'],
    roles,
    needs: anyEarlier,
    run(earlier) {
      restoreEarlierSelection(earlier)
      return `Selected ${countOf(earlier.items.length, earlier.entity)}`
    },
  }),
]
