/** Uploads files of devices. A CSV file of any length goes in parts that the server takes. */
import { ApiError, errorLines, isTransient } from '../../api/errors.ts'
import { devices } from '../../api/contract/devices.ts'
import { retry } from '../../domain/lib/retry.ts'
import { showCredentials } from '../../store/overlays.ts'
import type { Services } from '../core/types.ts'
import { countOf } from '../core/wording.ts'
import { whileUploading } from '../core/runs/uploads.ts'
import { divideFile, type FilePart } from './fileParts.ts'
import { formatNumber } from '../../domain/format.ts'

/** Milliseconds before each retry of a part. */
const pauses = [400, 2000, 10_000] as const
/** Messages after which no further part is checked; the server returns as many of one file. */
const maxMessages = 100

/** A part that was sent without an answer: its devices may exist, and the same key gets their secrets. */
interface Unanswered {
  readonly index: number
  readonly idempotencyKey: string
}
/** By file, so that uploading the same file again continues there. */
const unanswered = new WeakMap<File, Unanswered>()

/** Creates the devices of a file and shows their credentials. Resolves with a message; rejects with ApiError. */
export const uploadDevices = (file: File, services: Services): Promise<string> =>
  whileUploading(async stopped => {
    const parts = /\.csv$/i.test(file.name) ? await divideFile(file) : []
    const whole = { file, firstRow: 2, rows: 0, headerBytes: 0 }
    return uploadParts(file, parts.length > 1 ? parts : [whole], services, stopped)
  })

/**
 * Creates the devices of all parts; several are checked first. If a part fails although its check succeeded, the devices of the
 * parts before it exist, so the rows that are left are saved as a file. Once `stopped` is aborted, nothing is shown or saved.
 */
async function uploadParts(
  file: File,
  parts: readonly FilePart[],
  { call, progress, save }: Services,
  stopped: AbortSignal,
): Promise<string> {
  const sending = { call, signal: AbortSignal.any([progress.signal, stopped]) }
  const total = parts.reduce((sum, { rows }) => sum + rows, 0)
  const report = (title: string) => (part: FilePart) => progress.report(part.firstRow - 2, total, title)
  const first = unanswered.get(file)?.index ?? 0
  if (parts.length > 1 && !unanswered.has(file)) await checkParts(parts, sending, report('Checking'))
  const reportUpload = report('Uploading')
  let count = 0
  for (const [index, part] of parts.entries()) {
    if (index < first) continue
    reportUpload(part)
    try {
      const { created, credentials } = await createPart(file, part, index, sending)
      // Another person may use the page.
      stopped.throwIfAborted()
      showCredentials(credentials)
      count += created
    } catch (error) {
      if (stopped.aborted || (index === 0 && !unanswered.has(file))) throw error
      const reason = [progress.signal.aborted ? 'Cancelled' : errorLines(error)].flat()
      if (unanswered.has(file)) reason.push(unansweredText)
      if (index > 0) {
        const rest = restOf(parts.slice(index), file.name)
        save(rest.name, rest)
        reason.push(restText(part, rest.name))
      }
      throw new ApiError(0, reason)
    }
  }
  return `Created ${countOf(count, 'devices')}`
}

const unansweredText =
  'The server may have created the devices. Upload again, without choosing the file again, to see their secrets.'

/** How the parts are sent: until the signal is aborted. */
interface Sending {
  readonly call: Services['call']
  readonly signal: AbortSignal
}

/** Lets the server check all parts. Rejects with the messages of their rows. */
async function checkParts(
  parts: readonly FilePart[],
  { call, signal }: Sending,
  report: (part: FilePart) => void,
): Promise<void> {
  const messages = new Set<string>()
  for (const part of parts) {
    report(part)
    const { file, firstRow } = part
    const query = { preview: 'true', first_row: firstRow } as const
    try {
      await retrying(() => call(devices.upload, { file, query, signal }), signal)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 400)) throw error
      for (const line of [error.raw].flat()) messages.add(line)
      if (messages.size >= maxMessages) break
    }
  }
  if (messages.size > 0) throw new ApiError(400, [...messages])
}

/** Creates the devices of a part. Each attempt has the same key: if a response was lost, the server repeats it. */
async function createPart(whole: File, { file, firstRow }: FilePart, index: number, { call, signal }: Sending) {
  signal.throwIfAborted()
  const idempotencyKey = unanswered.get(whole)?.idempotencyKey ?? crypto.randomUUID()
  unanswered.set(whole, { index, idempotencyKey })
  try {
    // Not by the call's own signal: the server may create the devices of a call that is aborted, and their secrets are lost.
    const attempt = () => call(devices.upload, { file, query: { first_row: firstRow }, idempotencyKey })
    const response = await retrying(attempt, signal)
    unanswered.delete(whole)
    return response
  } catch (error) {
    if (error instanceof ApiError && !mayRetry(error)) unanswered.delete(whole)
    throw error
  }
}

/** Whether the same call may succeed later. The server asks so while the first attempt is still running. */
const mayRetry = (error: unknown): boolean => isTransient(error) || (error instanceof ApiError && error.isToBeRepeated)

const retrying = <Response>(attempt: () => Promise<Response>, signal: AbortSignal) =>
  retry(attempt, { isTransient: mayRetry, delay: count => pauses[count], signal })

/** Returns a file of the header and the rows of these parts. */
function restOf(parts: readonly FilePart[], name: string): File {
  const rows = parts.map(({ file, headerBytes }, index) => (index === 0 ? file : file.slice(headerBytes)))
  return new File(rows, name.replace(/(\.csv)$/i, '-rest$1'))
}

const restText = ({ firstRow }: FilePart, restName: string) =>
  `The devices of rows 2 to ${formatNumber(firstRow - 1)} were created. The other rows are in ${restName}.`
