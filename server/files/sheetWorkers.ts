/** The processes that read files: started with the first file, used again, and ended when there is nothing to do. */
import { fork, type ChildProcess } from 'node:child_process'
import { on } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { badRequest } from '../core/errors.ts'
import type { SheetRow } from './sheetLines.ts'
import { pieceSize, type SheetMessage, type SheetRequest } from './sheetMessages.ts'
import { slicesOf } from './slices.ts'

/** Limits the heap of a process, in megabytes: what a workbook's shared texts need, which are in memory. */
export const workerArguments: readonly string[] = [
  '--max-old-space-size=40',
  '--max-semi-space-size=1',
  '--disable-warning=ExperimentalWarning',
]
/** Milliseconds for reading a file; 50,000 rows take two or three seconds, and many times that on a small, busy machine. */
const timeout = 60_000
/** Milliseconds after which a process without a file ends: while the rows are stored, its memory is of use to the server. */
const idleTime = 1000

const unreadable = 'Could not read the file'
export const sheetProgram = fileURLToPath(new URL('sheetWorker.ts', import.meta.url))

interface Idle {
  readonly worker: ChildProcess
  readonly timer: NodeJS.Timeout
}
let idle: Idle[] = []

/**
 * Reads a file with limited time and memory, in batches: the process reads on when its batches are taken. How many files
 * are read at a time is up to the caller. Throws a 400 if the file cannot be read.
 */
export async function* readInProcess(kind: 'csv' | 'xlsx', bytes: Buffer): AsyncGenerator<SheetRow[], void> {
  const worker = takeWorker()
  const stopping = new AbortController()
  let reason = unreadable
  const stop = () => stopping.abort()
  const timer = setTimeout(() => {
    reason = `${unreadable}: it takes too long`
    stop()
  }, timeout)
  worker.on('exit', stop)
  worker.on('error', stop)
  let isReusable = false
  try {
    const messages = on(worker, 'message', { signal: stopping.signal }) as AsyncIterable<[SheetMessage]>
    sendFile(worker, kind, bytes).catch(stop)
    for await (const [message] of messages) {
      if (!('rows' in message)) {
        isReusable = true
        if ('problem' in message) throw badRequest(message.problem)
        return
      }
      yield message.rows
      worker.send({ taken: true } satisfies SheetRequest, () => undefined)
    }
  } catch (error) {
    throw stopping.signal.aborted ? badRequest(reason) : error
  } finally {
    clearTimeout(timer)
    worker.off('exit', stop)
    worker.off('error', stop)
    if (isReusable) keep(worker)
    else worker.kill('SIGKILL')
  }
}

async function sendFile(worker: ChildProcess, kind: 'csv' | 'xlsx', bytes: Buffer): Promise<void> {
  const send = (request: SheetRequest) =>
    new Promise<void>((resolve, reject) => {
      worker.send(request, error => (error ? reject(error) : resolve()))
    })
  await send({ kind, size: bytes.length })
  for (const piece of slicesOf(bytes, pieceSize)) await send({ piece })
}

function takeWorker(): ChildProcess {
  const waiting = idle.pop()
  if (waiting !== undefined) {
    clearTimeout(waiting.timer)
    return waiting.worker
  }
  const compileCache = getCompileCacheDir()
  const worker = fork(sheetProgram, {
    execArgv: [...workerArguments],
    env: { ...process.env, ...(compileCache !== undefined && { NODE_COMPILE_CACHE: dirname(compileCache) }) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Neither keeps the server from ending; it ends with the server, whose end of the channel closes.
  worker.unref()
  // Without a listener, an error that comes late would end the server.
  worker.on('error', () => undefined)
  worker.channel?.unref()
  worker.once('exit', () => {
    idle = idle.filter(one => one.worker !== worker)
  })
  return worker
}

function keep(worker: ChildProcess): void {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const timer = setTimeout(() => {
    idle = idle.filter(one => one.worker !== worker)
    worker.kill('SIGKILL')
  }, idleTime).unref()
  idle.push({ worker, timer })
}
