/** Template files for uploads. */
import { utils, write } from '@e965/xlsx'
import type { UploadColumn } from '../../domain/uploads.ts'

/** Returns a file with a header and one example row, made from the columns by which the server reads uploads. */
export function templateFile(name: string, columns: readonly UploadColumn[], kind: 'csv' | 'xlsx'): Blob {
  const sheet = utils.aoa_to_sheet([columns.map(column => column.name), columns.map(column => column.example)])
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, name)
  const content: unknown = write(book, { type: 'array', bookType: kind })
  return new Blob([content as ArrayBuffer], { type: 'application/octet-stream' })
}
