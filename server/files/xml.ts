/** Reads XML as events, chunk by chunk. Names come without prefix; entities other than XML's own are errors. */
import { SaxesParser } from 'saxes'
import { SheetProblem } from './sheetLines.ts'

/** Bytes between two events, such as those of a text or a comment: the parser has them in memory. */
const maxBetween = 256 * 1024
/** Maximum elements within each other. */
const maxDepth = 64

export interface XmlHandlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly close?: (name: string) => void
  readonly text?: (text: string) => void
}

/** Parses a document in UTF-8. Rejects if it is not well-formed, or with what a handler throws. */
export async function parseXml(chunks: AsyncIterable<Uint8Array>, { open, close, text }: XmlHandlers): Promise<void> {
  const parser = new SaxesParser()
  let depth = 0
  let sinceEvent = 0
  /** Wraps a handler; without one, the event still shows that the parser goes on. */
  const seen =
    <Event>(handle?: (event: Event) => void) =>
    (event: Event) => {
      sinceEvent = 0
      handle?.(event)
    }
  parser.on('error', error => {
    throw error
  })
  parser.on(
    'opentag',
    seen(({ name, attributes }) => {
      if (++depth > maxDepth) throw new SheetProblem('The file is nested too deeply')
      open(localName(name), attributes)
    }),
  )
  parser.on(
    'closetag',
    seen(({ name }) => {
      depth--
      close?.(localName(name))
    }),
  )
  parser.on('text', seen(text))
  parser.on('cdata', seen(text))
  parser.on('comment', seen())
  parser.on('processinginstruction', seen())
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of chunks) {
    sinceEvent += chunk.length
    if (sinceEvent > maxBetween) throw new SheetProblem('A text in the file is too long')
    parser.write(decoder.decode(chunk, { stream: true }))
  }
  parser.write(decoder.decode())
  parser.close()
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
