/** Reads the first sheet of an Excel workbook (.xlsx, ECMA-376) as a stream, whatever it unpacks to. */
import { posix } from 'node:path'
import { SSF } from '@e965/xlsx'
import { maxCellLength, maxCharacters, maxColumns, SheetProblem, type Lines } from './sheetLines.ts'
import { parseXml } from './xml.ts'
import { openZip, type ZipEntry } from './zip.ts'

/** Bytes: ten times the size of a workbook of 50,000 rows. */
const maxUnpackedBytes = 200 * 1024 * 1024
/** Maximum shared texts, styles, formats and parts, which are in memory; Excel allows 65,490 styles. */
const maxShared = 1_000_000
const maxStyles = 65_490
const maxParts = 10_000
/** Characters of a number format, as in Excel. */
const maxFormatLength = 255
/** The number format that stands for a date in the region's format, which the file does not contain. */
const regionalDate = 14

/** The number formats of SheetJS, which its types leave out. */
const formats = SSF as {
  readonly format: (code: string, value: number, options: { date1904: boolean }) => string
  readonly is_date: (code: string) => boolean
  readonly get_table: () => Readonly<Record<number, string>>
}

/** What the cells of a sheet refer to. */
interface Book {
  readonly shared: readonly string[]
  /** The number format of each style, if it is one of dates. */
  readonly dateFormats: readonly (string | undefined)[]
  /** Whether days are counted from 1904. */
  readonly date1904: boolean
}

/** Passes on the lines of the first sheet. @throws SheetProblem */
export async function readWorkbook(bytes: Buffer, lines: Lines): Promise<void> {
  try {
    await readFirstSheet(openZip(bytes, maxUnpackedBytes), lines)
  } catch (error) {
    if (error instanceof SheetProblem) throw error
    throw new SheetProblem('The file is not a readable .xlsx workbook')
  }
}

async function readFirstSheet(entries: ReadonlyMap<string, ZipEntry>, lines: Lines): Promise<void> {
  const workbook = required(entries, 'xl/workbook.xml')
  let sheetId: string | undefined
  let date1904 = false
  await parseXml(workbook.read(), {
    open: (name, attributes) => {
      if (name === 'sheet') sheetId ??= attributeOf(attributes, 'id')
      if (name === 'workbookPr') date1904 = isTrue(attributes.date1904)
    },
  })
  /** Paths of the parts by id, and by the last word of their type. */
  const parts = new Map<string, string>()
  await parseXml(required(entries, 'xl/_rels/workbook.xml.rels').read(), {
    open: (name, { Id, Type = '', Target = '' }) => {
      if (name !== 'Relationship') return
      limit(parts.size, maxParts)
      const path = posix.resolve('/xl', Target).slice(1)
      parts.set(`id ${Id}`, path)
      parts.set(`type ${Type.slice(Type.lastIndexOf('/') + 1)}`, path)
    },
  })
  const optional = (type: string) => entries.get(parts.get(`type ${type}`) ?? '')
  const book: Book = {
    shared: await readShared(optional('sharedStrings')),
    dateFormats: await readDateFormats(optional('styles')),
    date1904,
  }
  await readSheet(required(entries, parts.get(`id ${sheetId}`) ?? ''), book, lines)
}

function limit(count: number, max: number): void {
  if (count >= max) throw new SheetProblem('The file is too complex')
}

function required(entries: ReadonlyMap<string, ZipEntry>, path: string): ZipEntry {
  const entry = entries.get(path)
  if (entry === undefined) throw new Error(`no ${path}`)
  return entry
}

/** Returns an attribute by its name without prefix; `sheetId` is another one. */
const attributeOf = (attributes: Readonly<Record<string, string>>, name: string) =>
  Object.entries(attributes).find(([full]) => full.endsWith(`:${name}`))?.[1]

const isTrue = (value: string | undefined) => value === '1' || value === 'true'

/** Collects the texts of `t` elements, which may be in several runs; phonetic ones are left out. */
function textCollector() {
  let text = ''
  let isText = false
  let isPhonetic = false
  return {
    open: (name: string) => {
      if (name === 't') isText = !isPhonetic
      if (name === 'rPh') isPhonetic = true
    },
    close: (name: string) => {
      if (name === 't') isText = false
      if (name === 'rPh') isPhonetic = false
    },
    add: (more: string) => {
      if (isText) text = appended(text, more)
    },
    take: () => {
      const taken = unescaped(text)
      text = ''
      return taken
    },
  }
}

function appended(text: string, more: string): string {
  if (text.length + more.length > maxCellLength) throw new SheetProblem('A text in the file is too long')
  return text + more
}

/** Characters that XML does not allow are written as `_x000D_`. */
const unescaped = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([\da-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

async function readShared(entry: ZipEntry | undefined): Promise<readonly string[]> {
  const shared: string[] = []
  if (entry === undefined) return shared
  const texts = textCollector()
  let length = 0
  await parseXml(entry.read(), {
    open: texts.open,
    text: text => {
      length += text.length
      if (length > maxCharacters) throw new SheetProblem('The file has too much text')
      texts.add(text)
    },
    close: name => {
      texts.close(name)
      if (name !== 'si') return
      limit(shared.length, maxShared)
      shared.push(texts.take())
    },
  })
  return shared
}

async function readDateFormats(entry: ZipEntry | undefined): Promise<readonly (string | undefined)[]> {
  const codes = new Map(Object.entries(formats.get_table()).map(([id, code]) => [Number(id), code]))
  codes.set(regionalDate, 'yyyy-mm-dd')
  const styles: (string | undefined)[] = []
  if (entry === undefined) return styles
  let isCellStyle = false
  await parseXml(entry.read(), {
    open: (name, { numFmtId, formatCode = '' }) => {
      if (name === 'numFmt' && formatCode.length <= maxFormatLength) {
        limit(codes.size, maxStyles)
        codes.set(Number(numFmtId), formatCode)
      }
      if (name === 'cellXfs') isCellStyle = true
      if (name !== 'xf' || !isCellStyle) return
      limit(styles.length, maxStyles)
      const code = codes.get(Number(numFmtId))
      styles.push(code !== undefined && formats.is_date(code) ? code : undefined)
    },
    close: name => {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return styles
}

async function readSheet(entry: ZipEntry, book: Book, lines: Lines): Promise<void> {
  const texts = textCollector()
  let place = 0
  let line: string[] = []
  /** The first text beyond the columns. */
  let beyond: string | undefined
  let column = 0
  let cell: Readonly<Record<string, string>> = {}
  let value = ''
  let isValue = false

  const startRow = (number: string | undefined) => {
    place = number === undefined ? place + 1 : Number(number)
    line = []
    beyond = undefined
    column = 0
  }
  const startCell = (attributes: Readonly<Record<string, string>>) => {
    lines.countCell()
    cell = attributes
    column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
    value = ''
  }
  const endCell = () => {
    const text = cell.t === 'inlineStr' ? texts.take() : textOf(value, cell, book)
    if (column > maxColumns) {
      if (text.trim() !== '') beyond ??= text
      return
    }
    while (line.length < column - 1) line.push('')
    line[column - 1] = text
  }
  const endRow = () => {
    const isBlank = beyond === undefined && line.every(text => text.trim() === '')
    if (isBlank) return
    while (beyond !== undefined && line.length < maxColumns) line.push('')
    lines.skipTo(place - 1)
    lines.add(beyond === undefined ? line : [...line, beyond])
  }
  await parseXml(passedOn(entry.read(), lines), {
    open: (name, attributes) => {
      texts.open(name)
      if (name === 'row') startRow(attributes.r)
      else if (name === 'c') startCell(attributes)
      else if (name === 'v') isValue = true
    },
    text: text => {
      if (isValue) value = appended(value, text)
      texts.add(text)
    },
    close: name => {
      texts.close(name)
      if (name === 'v') isValue = false
      else if (name === 'c') endCell()
      else if (name === 'row') endRow()
    },
  })
}

/** Yields the chunks of a sheet, each after the lines of the one before have been passed on. */
async function* passedOn(chunks: AsyncIterable<Buffer>, lines: Lines): AsyncIterable<Buffer> {
  for await (const chunk of chunks) {
    yield chunk
    await lines.passOn()
  }
}

/** `AB12` → 28 */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference.match(/^[A-Z]{1,3}/i)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64
  return column
}

/** Returns dates as they are formatted, and otherwise the value: formatted numbers may be rounded. */
function textOf(value: string, { t: type = 'n', s: style }: Readonly<Record<string, string>>, book: Book): string {
  if (type === 's') return book.shared[Number(value)] ?? ''
  if (type === 'b') return String(isTrue(value))
  if (type !== 'n') return unescaped(value)
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return value
  const code = book.dateFormats[Number(style ?? 0)]
  return code === undefined ? String(number) : formats.format(code, number, { date1904: book.date1904 })
}
