/** Uploads files of devices. A CSV file of any length goes in parts that the server takes. */
import { ApiError, errorLines, isTransient } from '../../api/errors.ts'
import { devices, type Credential } from '../../api/contract/devices.ts'
import { retry } from '../../domain/lib/retry.ts'
import { showCredentials } from '../../store/overlays.ts'
import type { Services } from '../core/types.ts'
import { countOf } from '../core/wording.ts'
import { divideFile, type FilePart } from './fileParts.ts'
import { formatNumber } from '../../domain/format.ts'

/** Milliseconds before each retry of a part. */
const pauses = [400, 2000, 10_000] as const
/** Messages after which no further part is checked; the server returns as many of one file. */
const maxMessages = 100

/** Creates the devices of a file and shows their credentials. Resolves with a message; rejects with ApiError. */
export async function uploadDevices(file: File, services: Services): Promise<string> {
  const parts = /\.csv$/i.test(file.name) ? await divideFile(file) : []
  if (parts.length > 1) return uploadParts(file, parts, services)
  const { created, credentials } = await services.call(devices.upload, { file })
  showCredentials(credentials)
  return createdText(created)
}

const createdText = (count: number) => `Created ${countOf(count, 'devices')}`

/**
 * Checks all parts, and then creates their devices. If a part fails although its check succeeded, the devices of the parts before
 * it exist, so the rows that are left are saved as a file.
 */
async function uploadParts(file: File, parts: readonly FilePart[], services: Services): Promise<string> {
  const { progress, save } = services
  const total = parts.reduce((sum, { rows }) => sum + rows, 0)
  await checkParts(parts, total, services)
  const credentials: Credential[] = []
  for (const [index, part] of parts.entries()) {
    progress.report(part.firstRow - 2, total, 'Uploading')
    try {
      // Not by the call's own signal: the server may create the devices of a call that is aborted, and their secrets are lost.
      progress.signal.throwIfAborted()
      credentials.push(...(await createPart(part, services)).credentials)
    } catch (error) {
      if (index === 0) throw error
      showCredentials(credentials)
      const rest = restOf(parts.slice(index), file.name)
      save(rest.name, rest)
      throw failureOf(progress.signal.aborted ? 'Cancelled' : errorLines(error), part, rest.name)
    }
  }
  showCredentials(credentials)
  return createdText(credentials.length)
}

/** Lets the server check all parts. Rejects with the messages of their rows. */
async function checkParts(parts: readonly FilePart[], total: number, { call, progress }: Services): Promise<void> {
  const messages = new Set<string>()
  const { signal } = progress
  for (const { file, firstRow } of parts) {
    progress.report(firstRow - 2, total, 'Checking')
    const query = { preview: 'true', first_row: firstRow } as const
    try {
      await retrying(() => call(devices.upload, { file, query, signal }), isTransient, signal)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 400)) throw error
      for (const line of [error.raw].flat()) messages.add(line)
      if (messages.size >= maxMessages) break
    }
  }
  if (messages.size > 0) throw new ApiError(400, [...messages])
}

function createPart({ file, firstRow }: FilePart, { call, progress }: Services) {
  // The same for each attempt: if a response was lost, the server repeats it.
  const idempotencyKey = crypto.randomUUID()
  return retrying(
    () => call(devices.upload, { file, query: { first_row: firstRow }, idempotencyKey }),
    // 409: the first attempt is still running on the server.
    error => isTransient(error) || (error instanceof ApiError && error.status === 409),
    progress.signal,
  )
}

const retrying = <Response>(
  attempt: () => Promise<Response>,
  isTransientError: (error: unknown) => boolean,
  signal: AbortSignal,
) => retry(attempt, { isTransient: isTransientError, delay: count => pauses[count], signal })

/** Returns a file of the header and the rows of these parts. */
function restOf(parts: readonly FilePart[], name: string): File {
  const rows = parts.map(({ file, headerBytes }, index) => (index === 0 ? file : file.slice(headerBytes)))
  return new File(rows, name.replace(/(\.csv)$/i, '-rest$1'))
}

function failureOf(reason: string | readonly string[], { firstRow }: FilePart, restName: string): ApiError {
  const left = `The devices of rows 2 to ${formatNumber(firstRow - 1)} were created. The other rows are in ${restName}.`
  return new ApiError(0, [...[reason].flat(), left])
}
