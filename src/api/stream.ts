/** The line to the server on which it tells of changes: opened, watched, and opened again when it breaks. */
import { createParser } from 'eventsource-parser'
import { subscribe } from 'valtio/vanilla'
import { connection } from '../store/connection.ts'
import { withSession } from './client.ts'
import { pingInterval, stream, type StreamEvents } from './contract/stream.ts'
import { ApiError } from './errors.ts'

/** Milliseconds without any sign of life after which the line counts as dead. */
const silence = 2.5 * pingInterval
/** Milliseconds that a tab may be out of sight: a browser has six connections to a server for all its tabs. */
const outOfSight = 10_000
/** Milliseconds before another attempt: after the first that failed, and at most. */
const firstPause = 1_000
const maxPause = 30_000

type Name = keyof StreamEvents
export interface Listener {
  /** From now on changes are told: what was read before may miss some. */
  readonly opened: () => void
  /** The first attempt since it was open has failed. */
  readonly lost: () => void
  readonly heard: { readonly [N in Name]: (data: StreamEvents[N]) => void }
}

/** Listens while the tab is in sight, and says so in `connection`. Returns how to stop. */
export function followStream(listener: Listener): () => void {
  const stop = new AbortController()
  void follow(listener, stop.signal).finally(() => {
    connection.streaming = false
  })
  return () => stop.abort()
}

async function follow(listener: Listener, stopped: AbortSignal): Promise<void> {
  for (let failures = 0; !stopped.aborted;) {
    await inSight(stopped)
    const opened = await listen(listener, stopped)
    connection.streaming = false
    failures = opened ? 0 : failures + 1
    if (failures === 1) listener.lost()
    // Many tabs that lost the same server do not come back all at once.
    const maxDelay = Math.min(firstPause * 2 ** Math.max(0, failures - 1), maxPause)
    await pause(maxDelay * (0.5 + Math.random() / 2), stopped)
  }
}

/** Resolves once the line has ended, with whether it had been open; it is cut when the tab has been left. */
async function listen({ opened, heard }: Listener, stopped: AbortSignal): Promise<boolean> {
  const cut = new AbortController()
  const signal = AbortSignal.any([stopped, cut.signal])
  let watching: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(watching)
    watching = setTimeout(() => cut.abort(), silence)
  }
  let leaving: ReturnType<typeof setTimeout> | undefined
  document.addEventListener(
    'visibilitychange',
    () => {
      clearTimeout(leaving)
      if (document.hidden) leaving = setTimeout(() => cut.abort(), outOfSight)
    },
    { signal },
  )
  const parser = createParser({
    onEvent({ event, data }) {
      if (event !== undefined && event in heard) hear(heard, event as Name, data)
    },
  })
  let isOpen = false
  try {
    alive()
    const lines = await open(signal)
    isOpen = true
    connection.online = true
    connection.streaming = true
    opened()
    for (let part = await lines.read(); !part.done; part = await lines.read()) {
      alive()
      parser.feed(part.value)
    }
  } catch {
    // Refused, out of reach, or cut: the next attempt will show.
  } finally {
    clearTimeout(watching)
    clearTimeout(leaving)
    cut.abort()
  }
  return isOpen
}

/** What an event holds follows from its name, by the contract. */
const hear = <N extends Name>(heard: Listener['heard'], name: N, data: string) =>
  heard[name](JSON.parse(data) as StreamEvents[N])

async function open(signal: AbortSignal): Promise<ReadableStreamDefaultReader<string>> {
  const { body } = await withSession(async headers => {
    const answer = await fetch(stream.open.path, { headers, signal })
    if (!answer.ok) throw new ApiError(answer.status, `The server answered ${answer.status}`)
    return answer
  })
  if (!body) throw new ApiError(0, 'The server answered nothing')
  return body.pipeThrough(new TextDecoderStream()).getReader()
}

/** Resolves once the tab is seen, or nobody waits any longer. */
const inSight = (stopped: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const done = new AbortController()
    const look = () => {
      if (document.hidden && !stopped.aborted) return
      done.abort()
      resolve()
    }
    document.addEventListener('visibilitychange', look, { signal: done.signal })
    stopped.addEventListener('abort', look, { signal: done.signal })
    look()
  })

/** Resolves after so many milliseconds, or as soon as there is reason to hope. */
const pause = (milliseconds: number, stopped: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const done = new AbortController()
    const end = () => {
      clearTimeout(waiting)
      unsubscribe()
      done.abort()
      resolve()
    }
    const waiting = setTimeout(end, milliseconds)
    let { online } = connection
    const unsubscribe = subscribe(connection, () => {
      if (connection.online && !online) end()
      ;({ online } = connection)
    })
    window.addEventListener('online', end, { signal: done.signal })
    stopped.addEventListener('abort', end, { signal: done.signal })
    if (stopped.aborted) end()
  })
