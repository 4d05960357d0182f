export interface DayRow {
  readonly key: string
  /** The name of the day. */
  readonly day: string
  readonly values: readonly string[]
}

interface Props {
  /** The accessible name of the part that scrolls. */
  readonly label: string
  readonly caption: string
  /** The names of the values. */
  readonly columns: readonly string[]
  readonly rows: readonly DayRow[]
  readonly maxHeight: 'max-h-[240px]' | 'max-h-[420px]'
}

/** Values by day as a table that scrolls under its head. */
export function DayTable({ label, caption, columns, rows, maxHeight }: Props) {
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      data-scrolls
      className={`${maxHeight} overflow-auto rounded-md border border-line`}
    >
      <table className="w-full text-right tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-bg text-[11.5px] text-ink3">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              Day
            </th>
            {columns.map(column => (
              <th key={column} scope="col" className="px-3 py-1.5 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, day, values }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap text-ink2">
                {day}
              </th>
              {values.map((value, index) => (
                <td key={columns[index]} className="px-3 py-1">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
