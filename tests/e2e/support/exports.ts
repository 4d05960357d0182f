/** Exports files through the console, and reads them with other libraries than those that wrote them. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { expect, type Download, type Page } from '@playwright/test'
import { read, utils, type CellObject } from '@e965/xlsx'
import { executable } from '../../../scripts/testPrograms.ts'
import { answer } from './lists.ts'

/** The path of LibreOffice, or undefined if it is not installed. */
const office = executable('office')

/** Runs `action` and returns the download that it starts. */
export async function downloadFrom(page: Page, action: () => Promise<unknown>): Promise<Download> {
  const download = page.waitForEvent('download')
  await action()
  return download
}

/** Exports with the keyboard: chooses the file type and, for a list, the columns. */
export const exportByKeys = (page: Page, type: string, columns?: 'Shown columns' | 'All columns') =>
  downloadFrom(page, async () => {
    await page.keyboard.press('e')
    await answer(page, 'File', type)
    if (columns) await answer(page, 'Columns', columns)
  })

/** Exports with the mouse: chooses a file type under a title of the menu. */
export const exportByMouse = (page: Page, title: string | RegExp, type: string) =>
  downloadFrom(page, async () => {
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.getByRole('group', { name: title }).getByRole('menuitem', { name: type }).click()
  })

export const textOf = async (file: Download) => readFile(await file.path(), 'utf8')

/** Returns the rows of a .csv or .txt file, headings first, without the preamble of a .txt file. */
export async function separatedRows(file: Download): Promise<string[][]> {
  const text = await textOf(file)
  expect(text.startsWith('\uFEFF')).toBe(true)
  const isText = file.suggestedFilename().endsWith('.txt')
  const table = isText ? text.slice(text.indexOf('\r\n\r\n') + 4) : text
  return parse(table, { bom: true, delimiter: isText ? '\t' : ',' })
}

export interface JsonFile {
  title: string
  zone: string
  notes: string[]
  columns: { key: string; name: string; unit?: string }[]
  rows: Record<string, string | number | null>[]
}
export const jsonOf = async (file: Download) => JSON.parse(await textOf(file)) as JsonFile

/** Returns the rows of a sheet of an .xls file, times without their offset. */
export async function sheetRows(file: Download, sheet: string): Promise<string[][]> {
  const worksheet = read(await readFile(await file.path()), { cellNF: true }).Sheets[sheet]!
  const { e } = utils.decode_range(worksheet['!ref']!)
  return Array.from({ length: e.r + 1 }, (_r, r) =>
    Array.from({ length: e.c + 1 }, (_c, c) =>
      cellText(worksheet[utils.encode_cell({ r, c })] as CellObject | undefined),
    ),
  )
}

/**
 * Checks that LibreOffice reads these rows of a sheet; where it is missing, `npm test` reports that. It takes three
 * seconds of the processor, so one file of the writer that all exports share is enough.
 */
export async function expectOfficeReads(file: Download, sheet: string, rows: string[][]) {
  if (office) expect(differences(await officeRows(office, file, sheet), rows)).toEqual([])
}

/** Returns a cell's text, a time as displayed but without `T` and offset, or a number in full precision. */
function cellText(cell: CellObject | undefined): string {
  const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(cell?.t === 'n' ? (cell.w ?? '') : '')
  return time ? `${time[1]} ${time[2]}` : String(cell?.v ?? '')
}

/** Returns the pairs of cells that differ, apart from the last digits of numbers. */
function differences(rows: string[][], others: string[][]): unknown[] {
  if (rows.length !== others.length) return [rows.length, others.length]
  return rows.flatMap((row, at) =>
    Array.from({ length: Math.max(row.length, others[at]!.length) }, (_, place) => [
      row[place],
      others[at]![place],
    ]).filter(([one, other]) => one !== other && !(one && other && near(Number(one), Number(other)))),
  )
}

async function officeRows(program: string, file: Download, sheet: string): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'permeate-office-'))
  try {
    const book = join(folder, 'book.xls')
    await file.saveAs(book)
    // Every sheet, comma-separated UTF-8, cells as displayed. A separate profile, since two may run at once.
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1'
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    await promisify(execFile)(program, [profile, '--headless', '--convert-to', filter, '--outdir', folder, book])
    return parse(await readFile(join(folder, `book-${sheet}.csv`)), { relax_column_count: true })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether a value equals the expected number within 0.00001, or is null where null is expected. */
export const near = (found: unknown, expected: number | null): boolean =>
  expected === null ? found === null : typeof found === 'number' && Math.abs(found - expected) < 1e-5
