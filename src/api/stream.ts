/** The connection to the server's event stream: opens it, detects silence, and reconnects. */
import { createParser } from 'eventsource-parser'
import { subscribe } from 'valtio/vanilla'
import { backoffDelay } from '../domain/lib/retry.ts'
import { connection } from '../store/connection.ts'
import { withSession } from './client.ts'
import { pingInterval, stream, type StreamEvents } from './contract/stream.ts'
import { ApiError } from './errors.ts'

/** Milliseconds without any event after which the connection counts as dead. */
const silenceTimeout = 2.5 * pingInterval
/** Milliseconds after which a hidden tab disconnects, as a browser has six connections to a server for all tabs. */
const hiddenTimeout = 10_000
/** Milliseconds before reconnecting, initially. */
const firstPause = 1_000

type ParsedName = Exclude<keyof StreamEvents, 'devices'>
export interface StreamListener {
  /** Called once connected. Data read before may miss changes. */
  readonly onOpen: () => void
  /** Called when the first reconnect fails. */
  readonly onLost: () => void
  /** Called with the JSON of a `devices` event, because parsing all rows of a busy fleet would delay a frame. */
  readonly onDevices: (data: string) => void
  readonly handlers: { readonly [N in ParsedName]: (data: StreamEvents[N]) => void }
}

/** Stays connected while the tab is visible, and updates `connection`. Returns a function that stops. */
export function openStream(listener: StreamListener): () => void {
  const stop = new AbortController()
  void keepConnected(listener, stop.signal).finally(() => {
    connection.streaming = false
  })
  return () => stop.abort()
}

async function keepConnected(listener: StreamListener, stopSignal: AbortSignal): Promise<void> {
  for (let failures = 0; !stopSignal.aborted;) {
    await untilVisible(stopSignal)
    const wasOpen = await connect(listener, stopSignal)
    connection.streaming = false
    failures = wasOpen ? 0 : failures + 1
    if (failures === 1) listener.onLost()
    await pause(backoffDelay(firstPause, Math.max(0, failures - 1)), stopSignal)
  }
}

/** Connects and dispatches events. Resolves once disconnected, with whether the connection had opened. */
async function connect({ onOpen, onDevices, handlers }: StreamListener, stopSignal: AbortSignal): Promise<boolean> {
  const abort = new AbortController()
  const signal = AbortSignal.any([stopSignal, abort.signal])
  let silenceTimer: ReturnType<typeof setTimeout> | undefined
  const restartSilenceTimer = () => {
    clearTimeout(silenceTimer)
    silenceTimer = setTimeout(() => abort.abort(), silenceTimeout)
  }
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  document.addEventListener(
    'visibilitychange',
    () => {
      clearTimeout(hiddenTimer)
      if (document.hidden) hiddenTimer = setTimeout(() => abort.abort(), hiddenTimeout)
    },
    { signal },
  )
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === 'devices') onDevices(data)
      else if (event !== undefined && event in handlers) dispatch(handlers, event as ParsedName, data)
    },
  })
  let isOpen = false
  try {
    restartSilenceTimer()
    const lines = await fetchStream(signal)
    isOpen = true
    connection.online = true
    connection.streaming = true
    onOpen()
    connection.attempted = true
    for (let part = await lines.read(); !part.done; part = await lines.read()) {
      restartSilenceTimer()
      parser.feed(part.value)
    }
  } catch {
    // Refused, unreachable or aborted: the caller reconnects.
  } finally {
    clearTimeout(silenceTimer)
    clearTimeout(hiddenTimer)
    abort.abort()
    connection.attempted = true
  }
  return isOpen
}

/** Calls an event's handler. The contract defines the data by the event's name. */
const dispatch = <N extends ParsedName>(handlers: StreamListener['handlers'], name: N, data: string) =>
  handlers[name](JSON.parse(data) as StreamEvents[N])

async function fetchStream(signal: AbortSignal): Promise<ReadableStreamDefaultReader<string>> {
  const { body } = await withSession(async headers => {
    const response = await fetch(stream.open.path, { headers, signal })
    if (!response.ok) throw new ApiError(response.status, `The server answered ${response.status}`)
    return response
  }, signal)
  if (!body) throw new ApiError(0, 'The server sent an empty response')
  return body.pipeThrough(new TextDecoderStream()).getReader()
}

/** Resolves once the tab is visible, or on abort. */
const untilVisible = (stopSignal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const listeners = new AbortController()
    const check = () => {
      if (document.hidden && !stopSignal.aborted) return
      listeners.abort()
      resolve()
    }
    document.addEventListener('visibilitychange', check, { signal: listeners.signal })
    stopSignal.addEventListener('abort', check, { signal: listeners.signal })
    check()
  })

/** Resolves after `milliseconds`, or earlier once the network or the server is available again, or on abort. */
const pause = (milliseconds: number, stopSignal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const listeners = new AbortController()
    const end = () => {
      clearTimeout(timer)
      unsubscribe()
      listeners.abort()
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    let { online } = connection
    const unsubscribe = subscribe(connection, () => {
      if (connection.online && !online) end()
      ;({ online } = connection)
    })
    window.addEventListener('online', end, { signal: listeners.signal })
    stopSignal.addEventListener('abort', end, { signal: listeners.signal })
    if (stopSignal.aborted) end()
  })
