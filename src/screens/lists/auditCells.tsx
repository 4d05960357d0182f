/** Cells of the audit log that render more than text. */
import type { AuditEntry } from '../../api/contract/audit.ts'
import type { Cells } from '../../commands/surfaces/list/columns.tsx'
import { auditColumns } from '../../domain/columns/audit.ts'
import { formatNumber, noValue } from '../../domain/format.ts'

const outcomeColours: Record<AuditEntry['outcome'], string> = {
  done: 'text-ok',
  partly: 'text-warn',
  refused: 'text-bad',
  failed: 'text-bad',
  started: 'text-warn',
  interrupted: 'text-bad',
}

/** Returns the first three ids and the number of the others: `a, b, c and 4 more`. */
const idsOf = ({ ids, ids_count }: AuditEntry) =>
  ids_count === 0
    ? noValue
    : `${ids.slice(0, 3).join(', ')}${ids_count > 3 ? ` and ${formatNumber(ids_count - 3)} more` : ''}`

export const auditCells: Cells<'audit'> = {
  outcome: entry => (
    <span className={`font-medium ${outcomeColours[entry.outcome]}`}>
      {auditColumns.outcome.names[entry.outcome]}
      {entry.outcome === 'partly' && ` (${entry.done} of ${(entry.done ?? 0) + (entry.failed ?? 0)})`}
      {(entry.count ?? 0) > 1 && ` (${formatNumber(entry.count!)} times)`}
    </span>
  ),
  message: entry => entry.message || noValue,
  ids: idsOf,
  call: entry => <span className="font-mono text-[12px]">{entry.action}</span>,
}
