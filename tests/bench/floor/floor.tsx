/**
 * The least that a table can be: 1,000 rows of 24 columns on `@tanstack/react-virtual`, with a selection, a focused row and
 * sorting. What the console takes beyond it is the console's own. Roles, labels and keys are those of the console.
 */
import { memo, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { useVirtualizer } from '@tanstack/react-virtual'
import './floor.css'

const rowCount = 1000
const rowHeight = 32
const names = (
  'BSSID,Platform,Model,System,Company,Rejection,Recovery,Temperature,Pressure,Feed TDS,Permeate TDS,Feed,Permeate,Waste,' +
  'Flush,Status,Lock,Valve,Active,Firmware,Description,Power,Battery,Zone'
).split(',')
const template = `40px repeat(${names.length}, 120px)`
const width = 40 + names.length * 120

interface Row {
  readonly id: number
  readonly cells: readonly string[]
}

/** A number that looks random and is the same in each run. */
const mixed = (row: number, column: number) => ((row * 7919 + column * 104_729 + row * row * 31) % 9973) / 10

const makeRow = (id: number): Row => ({
  id,
  cells: names.map((name, column) =>
    column % 3 === 1 ? mixed(id, column).toFixed(1) : `${name} ${mixed(id, column)}`,
  ),
})

let selected: ReadonlySet<number> = new Set()
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
function select(ids: Iterable<number>) {
  selected = new Set(ids)
  for (const listener of listeners) listener()
}
const toggle = (id: number) => select(selected.has(id) ? [...selected].filter(one => one !== id) : [...selected, id])

interface RowProps {
  readonly row: Row
  readonly index: number
  readonly top: number
  readonly focused: boolean
}

const TableRow = memo(function TableRow({ row, index, top, focused }: RowProps) {
  const isSelected = useSyncExternalStore(subscribe, () => selected.has(row.id))
  return (
    <div
      role="row"
      id={`row-${index}`}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={focused ? 'row focused' : 'row'}
      style={{ transform: `translateY(${top}px)`, gridTemplateColumns: template, width }}
    >
      <span role="gridcell">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${row.cells[0]}`}
          checked={isSelected}
          onChange={() => toggle(row.id)}
        />
      </span>
      {row.cells.map((cell, column) => (
        <span role="gridcell" key={names[column]}>
          {cell}
        </span>
      ))}
    </div>
  )
})

function SelectPage({ rows }: { readonly rows: readonly Row[] }) {
  const all = useSyncExternalStore(subscribe, () => selected.size === rows.length)
  return (
    <input
      type="checkbox"
      aria-label="Select the page"
      checked={all}
      onChange={() => select(all ? [] : rows.map(({ id }) => id))}
    />
  )
}

/** The row that a key moves the focus to. */
const targets: Readonly<Record<string, (index: number) => number>> = {
  j: index => Math.min(rowCount - 1, index + 1),
  k: index => Math.max(0, index - 1),
  Home: () => 0,
}

function Table() {
  const [rows, setRows] = useState(() => Array.from({ length: rowCount }, (_, index) => makeRow(index)))
  const [focused, setFocused] = useState(0)
  const [sorted, setSorted] = useState<{ column: number; sign: 1 | -1 }>()
  const grid = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'x') return toggle(rows[focused]!.id)
      const target = targets[key]?.(focused)
      if (target === undefined) return undefined
      grid.current?.focus()
      setFocused(target)
      virtualizer.scrollToIndex(target)
      return undefined
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [focused, rows, virtualizer])

  const sortBy = (column: number) => {
    const sign = sorted?.column === column && sorted.sign === 1 ? -1 : 1
    setSorted({ column, sign })
    setRows(rows.toSorted((a, b) => sign * (a.cells[column]! < b.cells[column]! ? -1 : 1)))
  }
  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={0}
      aria-label="Devices"
      aria-busy={false}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={`row-${focused}`}
      className="grid"
    >
      <div role="row" className="head" style={{ gridTemplateColumns: template, width }}>
        <span role="columnheader">
          <SelectPage rows={rows} />
        </span>
        {names.map((name, column) => (
          <span role="columnheader" key={name} aria-label={name}>
            <button type="button" tabIndex={-1} onClick={() => sortBy(column)}>
              {name}
            </button>
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ position: 'relative', height: virtualizer.getTotalSize(), width }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!
          return <TableRow key={row.id} row={row} index={index} top={start} focused={index === focused} />
        })}
      </div>
    </div>
  )
}

createRoot(document.getElementById('root')!).render(<Table />)
