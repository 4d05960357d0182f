import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type Ref } from 'react'
import type { PreviewRow } from '../../jobs/previewRows.ts'
import { formatNumber } from '../../../domain/format.ts'

export const previewRowHeight = 28
const minRows = 3

/** A virtualized list of targets under headings, for thousands of rows. */
export function PreviewList({
  rows,
  label,
  ref,
}: {
  rows: readonly PreviewRow[]
  label: string
  ref: Ref<HTMLDivElement>
}) {
  'use no memo'
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => previewRowHeight,
    overscan: 8,
  })
  return (
    <div
      ref={element => {
        scroller.current = element
        if (typeof ref === 'function') ref(element)
        else if (ref) ref.current = element
      }}
      role="list"
      aria-label={label}
      tabIndex={0}
      className="overflow-auto rounded-lg border border-line"
      // In a small window it leaves room for what is around it.
      style={{
        height: `min(38vh, ${rows.length * previewRowHeight + 2}px)`,
        minHeight: Math.min(rows.length, minRows) * previewRowHeight + 2,
      }}
    >
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <div
                key={index}
                role="listitem"
                aria-posinset={index + 1}
                aria-setsize={rows.length}
                className={`absolute inset-x-0 flex items-center gap-3 px-3 ${'heading' in row ? 'bg-sunk' : ''}`}
                style={{ height: previewRowHeight, top: start }}
              >
                <Row row={row} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

const dots = { ok: 'bg-ok', bad: 'bg-bad', warn: 'bg-warn', mute: 'bg-ink3' }

function Row({ row }: { row: PreviewRow }) {
  if ('heading' in row)
    return (
      <>
        <span aria-hidden="true" className={`size-[7px] shrink-0 rounded-full ${dots[row.tone]}`} />
        <span className="min-w-0 flex-1 truncate font-medium" title={row.heading}>
          {row.heading}
        </span>
        <span className="numeric text-ink2">{formatNumber(row.count)}</span>
      </>
    )
  if ('group' in row) {
    const { note, name, detail, size } = row.group
    return (
      <>
        <span className="w-14 shrink-0 text-ink3 tabular-nums phone:sr-only">{note}</span>
        <span className="shrink-0 whitespace-nowrap tabular-nums sm:min-w-36">{name}</span>
        <span className="min-w-0 flex-1 truncate text-ink2" title={detail}>
          {detail}
        </span>
        <span className="shrink-0 text-ink2 tabular-nums">{size}</span>
      </>
    )
  }
  return (
    <>
      <span className="shrink-0 font-mono text-[12px]">{row.name}</span>
      <span className="min-w-0 flex-1 truncate text-ink3">{row.detail}</span>
      {row.changed !== undefined && (
        <span className="truncate rounded-[5px] bg-warn-soft px-1.5 text-[11.5px] text-warn">
          changed: {row.changed}
        </span>
      )}
    </>
  )
}
