/** What uploads add to the memory of an idle server and of the processes that read files. Needs Linux's `/proc`. */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { utils, write } from '@e965/xlsx'
import { repeat } from '../browser.ts'
import { refusals, reportAnswers } from '../answers.ts'
import type { Subject } from '../beside.ts'
import { figure, progress, report } from '../figures.ts'
import { bombWorkbook } from './bombWorkbook.ts'
import { upload } from './loads.ts'

/** Megabytes that all uploads together may add. */
const budget = { max: 200 }
/** Milliseconds between two samples. */
const sampleInterval = 50
/** Milliseconds in which the garbage of the server's start is collected. */
const settling = 45_000
const rowsOfFile = 50_000
const files = 30

/** Returns the megabytes of a process, its share of memory shared with others; 0 if it has ended. */
function memoryOf(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Returns whether a process reads uploaded files; the server's other children are the database's. */
function readsFiles(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sheetWorker')
  } catch {
    return false
  }
}

/** Returns the megabytes of the server, and of its processes that read files. */
function sample(server: number): { server: number; readers: number } {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number)
  const readers = children.filter(readsFiles)
  return { server: memoryOf(server), readers: readers.reduce((sum, pid) => sum + memoryOf(pid), 0) }
}

/** Returns rows of new devices: their ids begin with `prefix`, two hex digits. */
const rowsOf = (prefix: string, { withVendor }: { readonly withVendor: boolean }): string[][] => [
  ['bssid', 'platform', 'model', 'filtration_system', ...(withVendor ? ['vendor'] : []), 'description'],
  ...repeat(rowsOfFile, index => {
    const hex = index.toString(16).padStart(6, '0').toUpperCase()
    const bssid = `${prefix}:00:00:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4)}`
    return [bssid, 'esp32', 'RO-400 Home', 'FS-400', ...(withVendor ? ['vendor'] : []), `Kitchen ${index}`]
  }),
]

const csv = (rows: readonly string[][]) => rows.map(cells => cells.join(',')).join('\n')

const workbook = (rows: string[][]) =>
  Buffer.from(
    write(
      { SheetNames: ['Devices'], Sheets: { Devices: utils.aoa_to_sheet(rows) } },
      {
        type: 'array',
        bookType: 'xlsx',
        bookSST: true,
        compression: true,
      },
    ) as ArrayBuffer,
  )

/** Measures one upload after the other, on one server: what an earlier one has left counts for the later ones. */
export async function measureUploadMemory(
  { url, process: pid, token }: Subject,
  vendors: readonly string[],
): Promise<void> {
  const vendor = vendors[0]!
  progress('Memory of uploads …')
  const [admin, own] = [{ withVendor: true }, { withVendor: false }]
  const content = {
    csv: csv(rowsOf('0A', admin)),
    xlsx: workbook(rowsOf('0E', admin)),
    both: [workbook(rowsOf('12', admin)), csv(rowsOf('16', own))] as const,
    bomb: bombWorkbook(),
  }
  const loads: readonly (readonly [
    name: string,
    expected: readonly string[],
    load: () => Promise<readonly string[]>,
  ])[] = [
    ['a workbook that unpacks to 199 MB', ['400'], async () => [await upload(url, vendor, content.bomb, 'bomb.xlsx')]],
    ['50,000 devices as CSV', ['200'], async () => [await upload(url, token, content.csv, 'devices.csv')]],
    ['50,000 devices as a workbook', ['200'], async () => [await upload(url, token, content.xlsx, 'devices.xlsx')]],
    [
      'two files of 50,000 devices at once',
      ['200'],
      () =>
        Promise.all([
          upload(url, token, content.both[0], 'devices.xlsx'),
          upload(url, vendor, content.both[1], 'devices.csv'),
        ]),
    ],
    [
      `${files} workbooks that unpack to 199 MB, at once`,
      ['400', ...refusals],
      () =>
        Promise.all(repeat(files, index => upload(url, vendors[index % vendors.length]!, content.bomb, 'bomb.xlsx'))),
    ],
  ]
  let base = Infinity
  for (const started = performance.now(); performance.now() - started < settling; await wait(1000)) {
    const { server, readers } = sample(pid)
    base = Math.min(base, server + readers)
  }
  progress(`  idle ${Math.round(base)} MB`)
  for (const [name, expected, load] of loads) {
    let most = { server: 0, readers: 0 }
    const sampling = setInterval(() => {
      const now = sample(pid)
      if (now.server + now.readers > most.server + most.readers) most = now
    }, sampleInterval)
    const answers = await load().finally(() => clearInterval(sampling))
    reportAnswers(name, answers, expected)
    const [server, readers] = [Math.round(most.server - base), Math.round(most.readers)]
    progress(`  the server ${server} MB more, readers ${readers} MB`)
    report(figure(`memory over idle for ${name}`, 'MB', [most.server + most.readers - base], budget))
  }
}
