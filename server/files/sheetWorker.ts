/**
 * The process that converts uploaded files into rows of text, isolated from the server because files may be malicious: a
 * worker thread that runs out of memory can take the whole server with it.
 */
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { openLines, SheetProblem, type Lines, type SheetRow } from './sheetLines.ts'
import { maxBatchesInFlight, type SheetMessage, type SheetRequest } from './sheetMessages.ts'

const send = (message: SheetMessage) => process.send?.(message)

/** Batches that the server has not taken yet. */
let inFlight = 0
let goOn: () => void = () => undefined

/** Sends a batch; resolves once another one may follow. */
async function sendRows(rows: SheetRow[]): Promise<void> {
  inFlight++
  send({ rows })
  if (inFlight < maxBatchesInFlight) return
  await new Promise<void>(resolve => (goOn = resolve))
}

async function readLines(kind: 'csv' | 'xlsx', bytes: Buffer, lines: Lines): Promise<void> {
  // Neither reader needs the memory of the other one's libraries.
  const readFile = kind === 'csv' ? (await import('./csv.ts')).readCsv : (await import('./workbook.ts')).readWorkbook
  // The process may be killed. Without compiled code, compiling takes 20 MB of each process.
  flushCompileCache()
  await readFile(bytes, lines)
}

async function read(kind: 'csv' | 'xlsx', bytes: Buffer): Promise<void> {
  const lines = openLines(sendRows)
  inFlight = 0
  try {
    await readLines(kind, bytes, lines)
    await lines.end()
    send({ done: true })
  } catch (error) {
    if (!(error instanceof SheetProblem)) throw error
    send({ problem: error.message })
  }
}

let kind: 'csv' | 'xlsx' = 'csv'
let bytes = Buffer.alloc(0)
let received = 0

function receive(request: SheetRequest): void {
  if ('taken' in request) {
    inFlight--
    goOn()
  } else if ('kind' in request) {
    kind = request.kind
    bytes = Buffer.allocUnsafeSlow(request.size)
    received = 0
  } else {
    bytes.set(request.piece, received)
    received += request.piece.length
    if (received < bytes.length) return
    const whole = bytes
    // Not kept while the process waits for the next file.
    bytes = Buffer.alloc(0)
    void read(kind, whole)
  }
}

// Files can wait for a processor, lists cannot.
setPriority(10)
process.on('message', receive)
