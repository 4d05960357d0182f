/** The columns of a list as exported: plain values, where the screen may show icons and bars. */
import type { AuditEntry } from '../../api/contract/audit.ts'
import type { Device } from '../../api/contract/devices.ts'
import type { Row } from '../../api/lists.ts'
import type { Column } from '../../domain/columns/column.ts'
import { auditColumns } from '../../domain/columns/audit.ts'
import { isList, nameOf, valueReader, type Value } from '../../domain/columns/values.ts'
import type { ExportCell, ExportColumn } from '../../domain/exportTable.ts'
import { remainingLife } from '../../domain/filterLife.ts'
import { listColumns, type listDefinitions } from '../../domain/lists/lists.ts'
import { roundConverted, unitOf, type UnitChoice } from '../../domain/units.ts'
import { isoIn } from '../../domain/zone.ts'
import type { Entity } from '../../store/lists.ts'
import { formatNumber } from '../../domain/format.ts'

/** The units, time zone and time of the person who exports. */
export interface View {
  readonly units: UnitChoice
  /** IANA name. */
  readonly zone: string
  /** Milliseconds UTC. */
  readonly now: number
}

interface ListColumn<Row> {
  readonly id: string
  readonly heading: ExportColumn
  readonly value: (row: Row) => ExportCell
}

/** Returns the columns of a list, in the order of its screen. */
export function exportColumns<E extends Entity>(entity: E, view: View): readonly ListColumn<Row<E>>[] {
  const ownTexts: Readonly<Record<string, ((row: Row<E>, view: View) => string) | undefined>> = texts[entity] ?? {}
  return Object.entries(listColumns(entity)).map(([id, column]) => {
    const read = valueReader(id, column)
    const text = ownTexts[id]
    return {
      id,
      heading: headingOf(id, column, view),
      value: row => (text ? text(row, view) : cellOf(column, read(row), view)),
    }
  })
}

function headingOf(id: string, column: Column, { units }: View): ExportColumn {
  const { label, quantity, unit } = column
  const symbol = quantity ? unitOf(quantity, units).symbol : unit
  return { key: id, name: label, ...(symbol && { unit: symbol }), ...(isInstant(column) && { times: true }) }
}

/** A calendar day has no time zone. */
const isInstant = ({ kind, timeFormat }: Column) => kind === 'time' && timeFormat !== 'day'

/** Returns amounts in the chosen units, times in the view's zone, days as ISO dates, and codes as their names. */
function cellOf(column: Column, value: Value | readonly Value[], view: View): ExportCell {
  if (isList(value)) return value.map(one => cellOf(column, one, view)).join(', ')
  const { kind, quantity, none = null } = column
  if (value === null) return none
  if (quantity) return roundConverted(unitOf(quantity, view.units).fromBase(Number(value)))
  if (isInstant(column)) return isoIn(view.zone, Date.parse(String(value)))
  if (kind === 'time') return String(value).slice(0, 10)
  return nameOf(column, value) ?? (typeof value === 'boolean' ? String(value) : value)
}

/** Returns each cartridge with its remaining life and the day on which it has to be replaced. */
const cartridges = (device: Device, { zone, now }: View) =>
  device.cartridges
    .map(one => `${one.model}: ${remainingLife(one, now)} (${isoIn(zone, Date.parse(one.replace_at)).slice(0, 10)})`)
    .join('; ')

function outcome({ outcome: code, done, failed, count }: AuditEntry): string {
  const name = auditColumns.outcome.names[code]
  if (count !== null && count > 1) return `${name} (${count} times)`
  return code === 'partly' ? `${name} (${done} of ${(done ?? 0) + (failed ?? 0)})` : name
}

/** Returns the ids that the audit log stores, and the number of further ones. */
const ids = ({ ids: stored, ids_count }: AuditEntry) =>
  `${stored.join(', ')}${ids_count > stored.length ? ` and ${formatNumber(ids_count - stored.length)} more` : ''}`

type Texts = {
  readonly [E in Entity]?: {
    readonly [Id in keyof (typeof listDefinitions)[E]['columns']]?: (row: Row<E>, view: View) => string
  }
}
/** Columns whose text is made from the whole row instead of one value. */
const texts: Texts = { devices: { cartridges }, audit: { outcome, ids } }
