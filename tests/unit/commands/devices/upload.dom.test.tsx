/** Uploading a file of devices that is too long for one call. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../../../src/api/errors.ts'
import type { RequestInput } from '../../../../src/api/send.ts'
import { uploadDevices } from '../../../../src/commands/devices/upload.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { maxUploadRows } from '../../../../src/domain/uploads.ts'
import { overlay } from '../../../../src/store/overlays.ts'

/** Rows of the file: two full parts and one row more. */
const count = 2 * maxUploadRows + 1
const file = new File(
  [['bssid', ...Array.from({ length: count }, (_, index) => `device${index + 2}`)].join('\n')],
  'fleet.csv',
)

interface UploadCall {
  readonly preview: boolean
  readonly firstRow: number
  readonly key: string | undefined
}

/** Returns services whose `call` records each upload and answers as `answer` says, and the uploads and saved files. */
function servicesWith(answer: (call: UploadCall, earlier: number) => Error | undefined) {
  const calls: UploadCall[] = []
  const saved: { name: string; file: Blob }[] = []
  const cancel = new AbortController()
  const call = async (_: unknown, { file: part, query, idempotencyKey }: RequestInput<never, never, never>) => {
    const { preview, first_row: firstRow } = query as unknown as { preview?: string; first_row: number }
    const one = { preview: preview === 'true', firstRow, key: idempotencyKey }
    const earlier = calls.filter(other => other.preview === one.preview && other.firstRow === firstRow).length
    calls.push(one)
    const error = answer(one, earlier)
    if (error) throw error
    const ids = (await part!.text()).trim().split('\n').slice(1)
    return { created: ids.length, credentials: one.preview ? [] : ids.map(bssid => ({ bssid, secret: `of ${bssid}` })) }
  }
  const services = {
    call,
    progress: { report: () => undefined, signal: cancel.signal },
    save: (name: string, blob: Blob) => void saved.push({ name, file: blob }),
  }
  return { calls, saved, cancel, services: services as unknown as Services }
}
const steps = (calls: readonly UploadCall[]) =>
  calls.map(({ preview, firstRow }) => [preview ? 'check' : 'create', firstRow])
const [second, third] = [maxUploadRows + 2, 2 * maxUploadRows + 2]

beforeEach(() => {
  overlay.credentials = undefined
})
afterEach(() => void vi.useRealTimers())

describe('a file of more rows than a call takes', () => {
  test('is checked as a whole before its first device is created', async () => {
    const { calls, services } = servicesWith(() => undefined)
    expect(await uploadDevices(file, services)).toBe('Created 100,001 devices')
    expect(steps(calls)).toEqual(
      [2, second, third].flatMap(row => [['check', row]]).concat([2, second, third].map(row => ['create', row])),
    )
    const list = overlay.credentials!.list
    expect(list).toHaveLength(count)
    expect(list.at(-1)).toEqual({ bssid: `device${count + 1}`, secret: `of device${count + 1}` })
  })

  test('creates nothing while a row of any part is wrong, and names the rows of all parts', async () => {
    const { calls, saved, services } = servicesWith(({ firstRow }) =>
      firstRow === 2 ? undefined : new ApiError(400, [`Row ${firstRow}: model X not found`]),
    )
    await expect(uploadDevices(file, services)).rejects.toMatchObject({
      raw: [`Row ${second}: model X not found`, `Row ${third}: model X not found`],
    })
    expect(calls.every(({ preview }) => preview)).toBe(true)
    expect(saved).toEqual([])
  })

  test('names what is wrong with its header once', async () => {
    const { services } = servicesWith(() => new ApiError(400, ['Unknown column: colour', 'The columns are bssid']))
    await expect(uploadDevices(file, services)).rejects.toMatchObject({
      raw: ['Unknown column: colour', 'The columns are bssid'],
    })
  })

  test('saves the rows that are left when a part fails, and shows the credentials of the others', async () => {
    const { saved, services } = servicesWith(({ preview, firstRow }) =>
      preview || firstRow === 2
        ? undefined
        : new ApiError(400, [`Row ${second}: bssid device${second} already exists`]),
    )
    await expect(uploadDevices(file, services)).rejects.toMatchObject({
      raw: [
        `Row ${second}: bssid device${second} already exists`,
        'The devices of rows 2 to 50,001 were created. The other rows are in fleet-rest.csv.',
      ],
    })
    expect(overlay.credentials!.list).toHaveLength(maxUploadRows)
    const [{ name, file: rest } = { name: '', file: new Blob() }] = saved
    expect(name).toBe('fleet-rest.csv')
    const lines = (await rest.text()).split('\n')
    expect([lines[0], lines[1], lines.at(-1), lines.length]).toEqual([
      'bssid',
      `device${second}`,
      `device${count + 1}`,
      count - maxUploadRows + 1,
    ])
  })

  test('stops between two parts when it is cancelled', async () => {
    const { calls, saved, cancel, services } = servicesWith(({ preview }) => {
      if (!preview) cancel.abort()
      return undefined
    })
    await expect(uploadDevices(file, services)).rejects.toMatchObject({
      raw: ['Cancelled', expect.stringContaining('rows 2 to 50,001')],
    })
    expect(steps(calls).filter(([step]) => step === 'create')).toEqual([['create', 2]])
    expect(saved).toHaveLength(1)
    expect(overlay.credentials!.list).toHaveLength(maxUploadRows)
  })

  test('sends a part again with the same key after its response was lost', async () => {
    // The pause before it passes at once.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync')
    const { calls, services } = servicesWith(({ preview, firstRow }, earlier) =>
      !preview && firstRow === second && earlier === 0 ? new ApiError(0, 'The server cannot be reached') : undefined,
    )
    expect(await uploadDevices(file, services)).toBe('Created 100,001 devices')
    const keys = calls.filter(({ preview }) => !preview).map(({ key }) => key)
    expect(keys).toHaveLength(4)
    expect(keys[1]).toBe(keys[2])
    expect(new Set(keys).size).toBe(3)
  })
})
