import { actionOf } from '../../api/contract/audit.ts'
import { endpoints } from '../../api/contract/endpoints.ts'
import type { Row } from '../../api/lists.ts'
import { column } from '../../commands/surfaces/list/columns.tsx'
import { missing, shortDateTime } from '../../domain/format.ts'
import type { Column } from '../../ui/table/column.ts'

type Entry = Row<'audit'>

const looks: Record<Entry['outcome'], string> = {
  done: 'text-ok',
  partly: 'text-warn',
  refused: 'text-bad',
  failed: 'text-bad',
}
const outcomes: Record<Entry['outcome'], string> = {
  done: 'Done',
  partly: 'Partly done',
  refused: 'Refused',
  failed: 'Failed',
}

/** The ids that are shown, and how many more there are. */
const idsOf = ({ ids, ids_count }: Entry) =>
  ids_count === 0
    ? missing
    : `${ids.slice(0, 3).join(', ')}${ids_count > 3 ? ` and ${(ids_count - 3).toLocaleString('en')} more` : ''}`

/** What an action does, in the contract's words: their first sentence. */
const meanings = new Map(
  endpoints.map(endpoint => [actionOf(endpoint), endpoint.summary.split(/[.;:](\s|$)/, 1)[0] ?? endpoint.summary]),
)

export const columns: readonly Column<Entry>[] = [
  column('audit', 'at', 180, entry => shortDateTime(entry.at)),
  column('audit', 'login', 150, entry => entry.login ?? missing),
  column('audit', 'role', 100, entry => entry.role ?? missing),
  column('audit', 'action', 420, entry => (
    <>
      {meanings.get(entry.action)} <span className="font-mono text-[11px] text-ink3">{entry.action}</span>
    </>
  )),
  column('audit', 'outcome', 120, entry => (
    <span className={`font-medium ${looks[entry.outcome]}`}>
      {outcomes[entry.outcome]}
      {entry.outcome === 'partly' && ` (${entry.done} of ${(entry.done ?? 0) + (entry.failed ?? 0)})`}
    </span>
  )),
  column('audit', 'message', 260, entry => entry.message || missing),
  column('audit', 'ids', 320, idsOf),
  column('audit', 'address', 120, entry => entry.address),
]
