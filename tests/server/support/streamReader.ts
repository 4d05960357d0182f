/** Listens to the stream as a console does. */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { onTestFinished } from 'vitest'
import { stream as contract, type StreamEvents } from '../../../src/api/contract/stream.ts'

type Name = keyof StreamEvents
export type Heard = { [N in Name]: { readonly event: N; readonly data: StreamEvents[N]; readonly at: number } }[Name]

export interface StreamReader {
  readonly response: Response
  /** All that has come so far. */
  readonly heard: readonly Heard[]
  /** What has come of one kind. */
  of<N extends Name>(name: N): StreamEvents[N][]
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>
}

/** Opens it, or resolves with the refusal; it ends with the test. */
export async function listen(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamReader> {
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const response = await fetch(url + contract.open.path, {
    headers: { 'access-token': token, ...headers },
    signal: gone.signal,
  })
  const heard: Heard[] = []
  const read = async () => {
    if (!response.ok || !response.body) return
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    try {
      for await (const { event, data } of events)
        heard.push({ event, data: JSON.parse(data), at: performance.now() } as unknown as Heard)
    } catch (error) {
      if (!gone.signal.aborted) throw error
    }
  }
  const ended = read()
  ended.catch(() => undefined)
  return {
    response,
    heard,
    of: <N extends Name>(name: N) => heard.flatMap(one => (one.event === name ? [one.data as StreamEvents[N]] : [])),
    ended,
  }
}
