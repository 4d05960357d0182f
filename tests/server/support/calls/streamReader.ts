/** Reads the event stream as a console does. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { onTestFinished } from 'vitest'
import { stream as contract, type StreamEvents } from '../../../../src/api/contract/stream.ts'

type Name = keyof StreamEvents
export type ReceivedEvent = {
  [N in Name]: { readonly event: N; readonly data: StreamEvents[N] }
}[Name]

export interface StreamReader {
  readonly response: Response
  /** All events so far. */
  readonly received: readonly ReceivedEvent[]
  /** The data of all events of one kind. */
  of<N extends Name>(name: N): StreamEvents[N][]
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
}

/** Opens the stream, or resolves with the refusal; it is closed after the test. */
export async function listen(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamReader> {
  const aborted = new AbortController()
  onTestFinished(() => aborted.abort())
  const response = await fetch(url + contract.open.path, {
    headers: { 'access-token': token, ...headers },
    signal: aborted.signal,
  })
  const received: ReceivedEvent[] = []
  const read = async () => {
    if (!response.ok || !response.body) return
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    try {
      for await (const { event, data } of events)
        received.push({ event, data: JSON.parse(data) } as unknown as ReceivedEvent)
    } catch (error) {
      if (!aborted.signal.aborted) throw error
    }
  }
  const ended = read()
  ended.catch(() => undefined)
  return {
    response,
    received,
    of: <N extends Name>(name: N) => received.flatMap(one => (one.event === name ? [one.data as StreamEvents[N]] : [])),
    ended,
  }
}
