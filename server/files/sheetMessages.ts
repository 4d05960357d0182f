/** What the server and a process that reads files send each other. */
import type { SheetRow } from './sheetLines.ts'

/**
 * Batches of rows that a process sends before the server takes the first of them: some megabytes at most, and enough for a
 * process of low priority that has to wait for a processor.
 */
export const maxBatchesInFlight = 8

/** Bytes of a file's piece, so that neither side has a second copy of a whole file. */
export const pieceSize = 256 * 1024

/** A file: first what it is, then its pieces; meanwhile that a batch of rows is taken. */
export type SheetRequest =
  | { readonly kind: 'csv' | 'xlsx'; readonly size: number }
  | { readonly piece: Uint8Array }
  | { readonly taken: true }

/** Some of the rows; after the last ones `done`, or the error message. */
export type SheetMessage = { readonly rows: SheetRow[] } | { readonly done: true } | { readonly problem: string }
