/** Writers that turn pages of rows into a file of one of the four types. */
import { escapeFormulas, formatRows } from '../../domain/csv.ts'
import { headingOf, type ExportHead, type ExportRow, type ExportType } from '../../domain/exportTable.ts'
import { workbookWriter } from '../../xls/workbook.ts'
import type { Writer } from '../../xls/writer.ts'

/** Spreadsheets read a file as UTF-8 if it starts with this mark. */
const byteOrderMark = '\uFEFF'

/** Returns a Blob for each page, which the browser may move from memory to disk. */
const part = (text: string) => new Blob([text])

/** Writes only the table; its headings contain units and zone. */
function csvWriter(head: ExportHead): Writer {
  const parts: Blob[] = [part(byteOrderMark + formatRows([headingsOf(head)], ','))]
  return {
    type: 'text/csv;charset=utf-8',
    add: rows => void parts.push(part(formatRows(rows, ','))),
    end: () => parts,
  }
}

/** Writes a tab-separated table below a title and notes. */
function txtWriter(head: ExportHead): Writer {
  const parts: Blob[] = []
  return {
    type: 'text/plain;charset=utf-8',
    add: rows => void parts.push(part(formatRows(rows, '\t'))),
    end(notes) {
      const lines = [head.title, ...notes, ''].map(
        line => `${escapeFormulas(line, '\t').replaceAll(/[\t\r\n]+/g, ' ')}\r\n`,
      )
      return [part(byteOrderMark + lines.join('') + formatRows([headingsOf(head)], '\t')), ...parts]
    },
  }
}

/** Writes rows as JSON objects below a description of the table. Texts are not escaped, as no spreadsheet runs them. */
function jsonWriter({ title, zone, columns }: ExportHead): Writer {
  const keys = columns.map(({ key, name }) => key ?? name)
  const parts: Blob[] = []
  let first = true
  const line = (row: ExportRow) => {
    const separator = first ? '\n' : ',\n'
    first = false
    return separator + JSON.stringify(Object.fromEntries(keys.map((key, index) => [key, row[index] ?? null])))
  }
  return {
    type: 'application/json',
    add: rows => void parts.push(part(rows.map(line).join(''))),
    end(notes) {
      const about = {
        title,
        zone,
        notes,
        columns: columns.map(({ name, unit }, index) => ({ key: keys[index], name, unit })),
      }
      return [part(`${JSON.stringify(about, undefined, 1).slice(0, -2)},\n "rows": [`), ...parts, part('\n]}\n')]
    },
  }
}

const headingsOf = ({ columns, zone }: ExportHead) => columns.map(column => headingOf(column, zone))

export const writers: Readonly<Record<ExportType, (head: ExportHead) => Writer>> = {
  xls: workbookWriter,
  csv: csvWriter,
  json: jsonWriter,
  txt: txtWriter,
}
