/** Commands on findings: open the device, shelve, confirm and dismiss; and a new baseline for devices. */
import * as z from 'zod/mini'
import type { Finding } from '../../api/contract/findings.ts'
import { health, shelfDays } from '../../api/contract/health/endpoints.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { routes } from '../../domain/lists/routes.ts'
import { causeNames } from '../../domain/health/texts/causeNames.ts'
import { causes } from '../../domain/health/types/assessment.ts'
import { deviceRoles } from '../../domain/roles.ts'
import type { RowItem } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import { someFindings } from '../core/targetNeeds.ts'
import type { Needs } from '../core/types.ts'
import type { Invocation } from '../core/runs/outcome.ts'
import { confirmQuestion, doneMessage } from '../core/wording.ts'
import { deviceRecordCommand } from '../devices/shared.ts'

/** The focused row if several findings are selected, or else the first. */
const findingToOpen: Needs<RowItem<Finding>> = context => {
  const need = someFindings(context)
  if ('blocked' in need) return need
  const { list } = context
  const focused = need.target.length > 1 ? need.target.find(({ id }) => id === list?.focus.id) : undefined
  return { target: focused ?? need.target[0]! }
}

/** Shared by the commands that change findings. */
const findingCommand = {
  entity: 'findings',
  needs: someFindings,
  group: 'control',
  on: ['control', 'row'],
  repeatable: true,
} as const

/** Returns the command that restores an earlier verdict. */
const restoreVerdict = ({ verdict }: Readonly<Record<string, unknown>>): Invocation | undefined => {
  if (verdict === null) return { id: 'finding.takeBack', input: {} }
  if (verdict === 'none') return { id: 'finding.dismiss', input: {} }
  return causes.includes(verdict as never) ? { id: 'finding.confirmCause', input: { cause: verdict } } : undefined
}

const verdictCommand = { ...findingCommand, endpoint: health.verdict, undo: restoreVerdict } as const

const { reason } = health.shelve.body.shape

export const findingCommands = [
  defineCommand({
    entity: 'findings',
    id: 'finding.open',
    title: 'Open device of finding',
    group: 'control',
    icon: 'device',
    keys: ['Enter', 'o'],
    keywords: ['detail', 'health', 'show'],
    on: ['row'],
    roles: deviceRoles,
    needs: findingToOpen,
    run: ({ row }, _, { go }) => go(`${routes.devices.path}/${row.bssid}`),
  }),
  defineCommand({
    entity: 'findings',
    id: 'finding.answer',
    title: 'Run suggested action of finding',
    group: 'control',
    icon: 'check',
    keys: 'shift+a',
    keywords: ['answer', 'solve', 'fix', 'close valve', 'plan replacement', 'explain'],
    on: ['row'],
    roles: deviceRoles,
    delegates: true,
    recordable: false,
    needs: findingToOpen,
    run: async ({ row }, _, services) => (await import('./suggested.ts')).actOn(row, services),
  }),
  defineCommand({
    ...verdictCommand,
    id: 'finding.confirm',
    title: 'Confirm',
    icon: 'check',
    keys: 'c',
    keywords: ['finding', 'verdict', 'true', 'right', 'cause'],
    effect: 'be confirmed',
    operation: () => bulkOperation(health.verdict, { verdict: 'found' }),
    done: doneMessage('Confirmed', 'findings'),
  }),
  defineCommand({
    ...verdictCommand,
    id: 'finding.confirmCause',
    title: 'Confirm another cause',
    icon: 'edit',
    keys: 'b',
    keywords: ['finding', 'verdict', 'what it was', 'correct', 'diagnosis'],
    effect: 'be confirmed with this cause',
    args: z.object({
      cause: withMeta(z.enum(causes), { label: 'Cause', names: causes.map(cause => causeNames[cause]) }),
    }),
    operation: ({ cause }) => bulkOperation(health.verdict, { verdict: cause }),
    done: doneMessage('Confirmed', 'findings'),
  }),
  defineCommand({
    ...verdictCommand,
    id: 'finding.dismiss',
    title: 'Dismiss',
    icon: 'close',
    keys: 'd',
    keywords: ['finding', 'verdict', 'nothing was wrong', 'false alarm'],
    effect: 'be dismissed',
    operation: () => bulkOperation(health.verdict, { verdict: 'none' }),
    done: doneMessage('Dismissed', 'findings'),
  }),
  defineCommand({
    ...verdictCommand,
    id: 'finding.takeBack',
    title: 'Remove verdict',
    icon: 'reset',
    keys: 'u',
    keywords: ['finding', 'unconfirm', 'reopen'],
    effect: 'have no verdict',
    operation: () => bulkOperation(health.verdict, { verdict: null }),
    done: doneMessage('Removed the verdict on', 'findings'),
  }),
  defineCommand({
    ...findingCommand,
    id: 'finding.shelve',
    title: 'Shelve',
    icon: 'timer',
    keys: 'h',
    keywords: ['finding', 'snooze', 'hide', 'later', 'days'],
    effect: 'be shelved',
    endpoint: health.shelve,
    args: z.object({
      days: withMeta(z.literal(shelfDays), { label: 'For', names: ['1 day', '7 days', '30 days'] }),
      reason: z.optional(reason),
    }),
    operation: ({ days: number, reason: text }) => bulkOperation(health.shelve, { days: number, reason: text ?? '' }),
    undo: earlier => (earlier['days'] === 0 ? { id: 'finding.unshelve', input: {} } : undefined),
    notUndoable: 'for those that were shelved already',
    done: doneMessage('Shelved', 'findings'),
  }),
  defineCommand({
    ...findingCommand,
    id: 'finding.unshelve',
    title: 'Unshelve',
    icon: 'up',
    keys: 'shift+h',
    keywords: ['finding', 'unshelve', 'open again'],
    effect: 'be open again',
    endpoint: health.shelve,
    operation: () => bulkOperation(health.shelve, { days: 0, reason: '' }),
    done: doneMessage('Opened', 'findings'),
  }),
  defineCommand({
    ...deviceRecordCommand,
    id: 'device.resetBaseline',
    title: 'Reset baseline (cleaned)',
    group: 'control',
    icon: 'refresh',
    keys: 's l',
    keywords: ['health', 'cleaned', 'membrane', 'learn anew', 'new', 'findings end'],
    on: ['control'],
    effect: 'begin a new baseline',
    endpoint: health.resetBaseline,
    confirm: targets =>
      confirmQuestion(
        'Reset the baseline of',
        'Learning the new baseline takes at least 8 days. Open findings end, except leaks.',
        'devices',
        targets,
      ),
    operation: () => bulkOperation(health.resetBaseline, {}),
    undo: () => ({ id: 'device.restoreBaseline', input: {} }),
    done: doneMessage('Reset the baseline of', 'devices'),
  }),
  defineCommand({
    ...deviceRecordCommand,
    id: 'device.restoreBaseline',
    title: 'Restore baseline before reset',
    group: 'control',
    icon: 'reset',
    keywords: ['health', 'undo', 'earlier baseline', 'findings again'],
    on: ['control'],
    effect: 'have their earlier baseline',
    endpoint: health.restoreBaseline,
    operation: () => bulkOperation(health.restoreBaseline, {}),
    undo: () => ({ id: 'device.resetBaseline', input: {} }),
    done: doneMessage('Restored the baseline of', 'devices'),
  }),
]
