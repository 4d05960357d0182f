/** Exporting as a person does it, and reading the files with other programs than those that wrote them. */
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

/** LibreOffice, where the machine has it. */
const office = executable('office')

/** Waits for the file that comes of something. */
export async function fileOf(page: Page, done: () => Promise<unknown>): Promise<Download> {
  const coming = page.waitForEvent('download')
  await done()
  return coming
}

/** Exports by keys: the type of file, and of a list which columns. */
export const exportByKeys = (page: Page, type: string, columns?: 'Shown columns' | 'All columns') =>
  fileOf(page, async () => {
    await page.keyboard.press('e')
    await answer(page, 'File', type)
    if (columns) await answer(page, 'Columns', columns)
  })

/** Exports by mouse: under a title of the menu, a type of file. */
export const exportByMouse = (page: Page, title: string | RegExp, type: string) =>
  fileOf(page, async () => {
    await page.getByRole('button', { name: /^Export/ }).click()
    await page.getByRole('group', { name: title }).getByRole('menuitem', { name: type }).click()
  })

export const textOf = async (file: Download) => readFile(await file.path(), 'utf8')

/** The rows of a .csv or .txt file, its heading first; a .txt file's head is left out. */
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

/**
 * The rows of a sheet of an .xls file, times without their offset. Another reader than what wrote it; where there is
 * LibreOffice, that has to read the same, and where there is none npm test says so.
 */
export async function sheetRows(file: Download, sheet: string): Promise<string[][]> {
  const found = read(await readFile(await file.path()), { cellNF: true }).Sheets[sheet]!
  const { e } = utils.decode_range(found['!ref']!)
  const rows = Array.from({ length: e.r + 1 }, (_r, r) =>
    Array.from({ length: e.c + 1 }, (_c, c) => shown(found[utils.encode_cell({ r, c })] as CellObject | undefined)),
  )
  if (office) expect(differing(await officeRows(office, file, sheet), rows)).toEqual([])
  return rows
}

/** Text, a time as the sheet shows it but without `T` and offset, or a number in full. */
function shown(cell: CellObject | undefined): string {
  const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(cell?.t === 'n' ? (cell.w ?? '') : '')
  return time ? `${time[1]} ${time[2]}` : String(cell?.v ?? '')
}

/** Cells in which both differ, but for the last digits of numbers. */
function differing(rows: string[][], others: string[][]): unknown[] {
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
    // Every sheet, comma-separated UTF-8, cells as they are shown. A profile of its own: two may run at once.
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1'
    const own = `-env:UserInstallation=file://${join(folder, 'profile')}`
    await promisify(execFile)(program, [own, '--headless', '--convert-to', filter, '--outdir', folder, book])
    return parse(await readFile(join(folder, `book-${sheet}.csv`)), { relax_column_count: true })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether a value is the number that it should be, to the sixth decimal place, or nothing where there is none. */
export const near = (found: unknown, expected: number | null): boolean =>
  expected === null ? found === null : typeof found === 'number' && Math.abs(found - expected) < 1e-5
