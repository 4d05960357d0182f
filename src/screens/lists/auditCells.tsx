/** The cells of the history: who changed what, when, from where, and what came of it. */
import { actionOf, type AuditEntry } from '../../api/contract/audit.ts'
import { endpoints } from '../../api/contract/endpoints.ts'
import type { Cells } from '../../commands/surfaces/list/columns.tsx'
import { auditColumns } from '../../domain/columns/audit.ts'
import { missing } from '../../domain/format.ts'

const looks: Record<AuditEntry['outcome'], string> = {
  done: 'text-ok',
  partly: 'text-warn',
  refused: 'text-bad',
  failed: 'text-bad',
}

/** The ids that are shown, and how many more there are. */
const idsOf = ({ ids, ids_count }: AuditEntry) =>
  ids_count === 0
    ? missing
    : `${ids.slice(0, 3).join(', ')}${ids_count > 3 ? ` and ${(ids_count - 3).toLocaleString('en')} more` : ''}`

/** What an action does, in the contract's words: their first sentence. */
const meanings = new Map(
  endpoints.map(endpoint => [actionOf(endpoint), endpoint.summary.split(/[.;:](\s|$)/, 1)[0] ?? endpoint.summary]),
)

export const auditCells: Cells<'audit'> = {
  role: entry => entry.role ?? missing,
  action: entry => (
    <>
      {meanings.get(entry.action)} <span className="font-mono text-[11px] text-ink3">{entry.action}</span>
    </>
  ),
  outcome: entry => (
    <span className={`font-medium ${looks[entry.outcome]}`}>
      {auditColumns.outcome.names[entry.outcome]}
      {entry.outcome === 'partly' && ` (${entry.done} of ${(entry.done ?? 0) + (entry.failed ?? 0)})`}
    </span>
  ),
  message: entry => entry.message || missing,
  ids: idsOf,
}
