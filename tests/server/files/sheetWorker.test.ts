/** The process that reads files: how much of a file is on its way to the server at a time. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { utils, write } from '@e965/xlsx'
import { afterAll, expect, test } from 'vitest'
import { maxUploadRows } from '../../../src/domain/uploads.ts'
import { maxBatchCharacters, maxBatchRows, type SheetRow } from '../../../server/files/sheetLines.ts'
import {
  maxBatchesInFlight,
  pieceSize,
  type SheetMessage,
  type SheetRequest,
} from '../../../server/files/sheetMessages.ts'
import { sheetProgram, workerArguments } from '../../../server/files/sheetWorkers.ts'
import { slicesOf } from '../../../server/files/slices.ts'
import { until } from '../../support/until.ts'

const worker = fork(sheetProgram, { execArgv: [...workerArguments], serialization: 'advanced' })
afterAll(async () => {
  worker.disconnect()
  await once(worker, 'exit')
})
const send = (request: SheetRequest) => worker.send(request)

/** Reads a file, and takes a batch only when as many as may be in flight have come, or the file has ended. */
async function read(kind: 'csv' | 'xlsx', bytes: Buffer) {
  const { promise: ended, resolve } = Promise.withResolvers<SheetMessage>()
  const rows: SheetRow[] = []
  let inFlight = 0
  let maxInFlight = 0
  let maxRows = 0
  const receive = (message: SheetMessage) => {
    if (!('rows' in message)) return resolve(message)
    rows.push(...message.rows)
    maxRows = Math.max(maxRows, message.rows.length)
    maxInFlight = Math.max(maxInFlight, ++inFlight)
    // Batches that the process sent without waiting arrive before this timer fires.
    setTimeout(() => {
      inFlight--
      if (worker.connected) send({ taken: true })
    })
  }
  worker.on('message', receive)
  send({ kind, size: bytes.length })
  for (const piece of slicesOf(bytes, pieceSize)) send({ piece })
  const end = await ended
  worker.off('message', receive)
  // Otherwise the process would count them as batches of the next file.
  await until(() => expect(inFlight).toBe(0))
  return { rows, end, maxInFlight, maxRows }
}

const sheet = Array.from({ length: maxUploadRows }, (_, index) => [`${index}`, 'RO-400 Home', `Küche ${index}`])
const files = {
  csv: Buffer.from(sheet.map(cells => cells.join(',')).join('\n')),
  xlsx: Buffer.from(
    write(
      { SheetNames: ['x'], Sheets: { x: utils.aoa_to_sheet(sheet) } },
      {
        type: 'array',
        bookType: 'xlsx',
      },
    ) as ArrayBuffer,
  ),
}

test.each(['csv', 'xlsx'] as const)(
  'the rows of a %s file wait until the server takes them',
  async kind => {
    const { rows, end, maxInFlight, maxRows } = await read(kind, files[kind])
    expect(end).toEqual({ done: true })
    expect(maxInFlight).toBeLessThanOrEqual(maxBatchesInFlight)
    expect(maxRows).toBe(maxBatchRows)
    expect(rows.map(({ number }) => number)).toEqual(sheet.map((_, index) => index + 1))
    expect(rows.map(({ cells }) => cells)).toEqual(sheet)
  },
  60_000,
)

test('a batch of long rows is small, too', async () => {
  const text = 'x'.repeat(20_000)
  const { rows, maxRows } = await read('csv', Buffer.from(Array<string>(400).fill(text).join('\n')))
  expect(rows).toHaveLength(400)
  expect(maxRows).toBe(Math.ceil(maxBatchCharacters / text.length))
})

test('characters of several bytes are read whole, wherever a file is divided', async () => {
  const text = '€'.repeat(30_000)
  const { rows } = await read('csv', Buffer.from(`\uFEFFa${text}\n\n,\nb${text}`))
  expect(rows).toEqual([
    { number: 1, cells: [`a${text}`] },
    { number: 4, cells: [`b${text}`] },
  ])
})

test('the heap of the process is limited, so that two of them leave most of 200 MB to the server', () => {
  const [heap] = workerArguments.flatMap(argument => /^--max-old-space-size=(\d+)$/.exec(argument)?.[1] ?? [])
  expect(worker.spawnargs).toContain(`--max-old-space-size=${heap}`)
  expect(Number(heap)).toBeLessThanOrEqual(40)
})
