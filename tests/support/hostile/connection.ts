/** A connection that sends bytes, whatever they are, and reads the statuses and bodies that come back. */
import { once } from 'node:events'
import { connect } from 'node:net'

/** What the head of an answer says. */
export interface AnswerHead {
  readonly status: number
  /** Its header of that name. */
  readonly retryAfter: string | undefined
}

export interface Answer extends AnswerHead {
  readonly body: string
  /** Whether the server says that it closes the connection. */
  readonly isLast: boolean
}

/** `closed` is the end of the connection without an answer, `silence` neither an answer nor its end. */
export type Outcome = Answer | 'closed' | 'silence'

export interface Connection {
  /** Sends a well-formed request and resolves with its answer. The body of a stream, which never ends, is empty. */
  ask(bytes: Buffer): Promise<Outcome>
  /** Whether the server or a stream has closed it: the next request needs another one. */
  isClosed(): boolean
  close(): void
}

/** Milliseconds without a byte after which a request counts as not answered. */
const patience = 30_000

/** Opens a connection for one request after the other. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.setTimeout(patience)
  await once(socket, 'connect')
  let received: Buffer = Buffer.alloc(0)
  let settle: ((outcome: Outcome) => void) | undefined
  const end = (outcome: Outcome) => {
    const settling = settle
    settle = undefined
    settling?.(outcome)
  }
  socket.on('data', (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    const answer = readAnswer(received)
    if (!answer) return
    received = received.subarray(answer.length)
    if (answer.isLast) socket.destroy()
    end(answer)
  })
  socket.on('timeout', () => {
    end('silence')
    socket.destroy()
  })
  // What an error means is said by `close`, which follows it.
  socket.on('error', () => undefined)
  socket.on('close', () => end('closed'))
  return {
    ask: bytes =>
      new Promise(resolve => {
        settle = resolve
        if (socket.destroyed) end('closed')
        else socket.write(bytes)
      }),
    isClosed: () => socket.destroyed || socket.readableEnded,
    close: () => socket.destroy(),
  }
}

/** Reads the status line and the headers of an answer. */
export const readHead = (text: string): AnswerHead => ({
  status: Number(text.slice(9, 12)),
  retryAfter: /^retry-after: *(.*)$/im.exec(text)?.[1]?.trim(),
})

interface ReadAnswer extends Answer {
  /** Bytes of the answer. */
  readonly length: number
}

/** Returns the answer at the start of the bytes, once it is complete. */
function readAnswer(bytes: Buffer): ReadAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const text = bytes.toString('latin1', 0, end)
  const head = text.toLowerCase()
  const { status, retryAfter } = readHead(text)
  const start = end + 4
  const isLast = head.includes('\r\nconnection: close')
  if (status < 200) {
    const next = readAnswer(bytes.subarray(start))
    return next && { ...next, length: start + next.length }
  }
  if (head.includes('\r\ncontent-type: text/event-stream'))
    return { status, retryAfter, body: '', length: start, isLast: true }
  if (head.includes('\r\ntransfer-encoding: chunked')) {
    const chunks = readChunks(bytes, start)
    return chunks && { status, retryAfter, ...chunks, isLast }
  }
  const size = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0)
  if (bytes.length < start + size) return undefined
  return { status, retryAfter, body: bytes.toString('utf8', start, start + size), length: start + size, isLast }
}

function readChunks(bytes: Buffer, start: number): { body: string; length: number } | undefined {
  let body = ''
  for (let at = start; ;) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const end = line + 2 + size
    if (bytes.length < end + 2) return undefined
    if (size === 0) return { body, length: end + 2 }
    body += bytes.toString('utf8', line + 2, end)
    at = end + 2
  }
}

/**
 * Sends bytes on a connection of their own, and no more after them. Resolves with the heads of the answers that come back
 * until the server closes the connection, or with `silence`.
 */
export function sendMalformed(port: number, bytes: Buffer): Promise<readonly AnswerHead[] | 'silence'> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1' })
    let received = ''
    socket.setTimeout(patience, () => {
      resolve('silence')
      socket.destroy()
    })
    socket.on('data', (text: Buffer) => {
      received += text.toString('latin1')
      // A stream does not end by itself.
      if (received.includes('text/event-stream')) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      resolve([...received.matchAll(/^HTTP\/1\.1 \d{3}.*?\r\n\r\n/gms)].map(([head]) => readHead(head)))
    })
    socket.end(bytes)
  })
}
