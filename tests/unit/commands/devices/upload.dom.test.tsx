/** Uploads of device files, including files that are too long for one call. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, unreachable } from '../../../../src/api/errors.ts'
import type { RequestInput } from '../../../../src/api/send.ts'
import { uploadDevices } from '../../../../src/commands/devices/upload.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { resetUserState, sessionCommands } from '../../../../src/commands/people/session.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
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
/** Lets pauses before retries pass at once. */
const passTimeAtOnce = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync')
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

  test('shows the credentials of each part as soon as it is created', async () => {
    const shown: number[] = []
    const { services } = servicesWith(({ preview }) => {
      if (!preview) shown.push(overlay.credentials?.list.length ?? 0)
      return undefined
    })
    await uploadDevices(file, services)
    expect(shown).toEqual([0, maxUploadRows, 2 * maxUploadRows])
  })

  test('stops after the part that is being sent when another person signs in, who sees none of it', async () => {
    const { calls, saved, services } = servicesWith(({ preview, firstRow }) => {
      if (!preview && firstRow === second) resetUserState({ reload: false })
      return undefined
    })
    await expect(uploadDevices(file, services)).rejects.toThrow(/abort/)
    expect(steps(calls).filter(([step]) => step === 'create')).toEqual([
      ['create', 2],
      ['create', second],
    ])
    expect(overlay.credentials).toBeUndefined()
    expect(saved).toEqual([])
  })

  test('goes on with the part that was not answered when it is uploaded again', async () => {
    passTimeAtOnce()
    let isDown = true
    const { calls, services } = servicesWith(({ preview, firstRow }) =>
      isDown && !preview && firstRow === second ? new ApiError(0, unreachable) : undefined,
    )
    await expect(uploadDevices(file, services)).rejects.toMatchObject({
      raw: [unreachable, expect.stringContaining('Upload again'), expect.stringContaining('rows 2 to 50,001')],
    })
    isDown = false
    const before = calls.length
    await uploadDevices(file, services)
    expect(steps(calls.slice(before))).toEqual([
      ['create', second],
      ['create', third],
    ])
    expect(
      new Set(calls.filter(({ preview, firstRow }) => !preview && firstRow === second).map(({ key }) => key)).size,
    ).toBe(1)
    expect(overlay.credentials!.list).toHaveLength(count)
  })

  test('sends a part again with the same key after its response was lost', async () => {
    passTimeAtOnce()
    const { calls, services } = servicesWith(({ preview, firstRow }, earlier) =>
      !preview && firstRow === second && earlier === 0 ? new ApiError(0, unreachable) : undefined,
    )
    expect(await uploadDevices(file, services)).toBe('Created 100,001 devices')
    const keys = calls.filter(({ preview }) => !preview).map(({ key }) => key)
    expect(keys).toHaveLength(4)
    expect(keys[1]).toBe(keys[2])
    expect(new Set(keys).size).toBe(3)
  })
})

describe('a file that one call takes', () => {
  const small = () => new File(['bssid\ndevice1\ndevice2'], 'fleet.csv')
  const keysOf = (calls: readonly UploadCall[]) => new Set(calls.map(({ key }) => key)).size

  test('is sent again with the same key after its response was lost', async () => {
    passTimeAtOnce()
    const { calls, services } = servicesWith((_, earlier) => (earlier === 0 ? new ApiError(0, unreachable) : undefined))
    expect(await uploadDevices(small(), services)).toBe('Created 2 devices')
    expect([calls.length, keysOf(calls)]).toEqual([2, 1])
    expect(overlay.credentials!.list).toHaveLength(2)
  })

  test.each([
    ['it was not answered', new ApiError(0, unreachable), 1],
    ['its first attempt is still running', new ApiError(409, 'The first call is still running', true), 1],
    ['it was refused', new ApiError(409, 'A device in this file was created by someone else'), 2],
  ])('is uploaded again, after %s, with the key that gets its secrets', async (_, error, keys) => {
    passTimeAtOnce()
    let isFailing = true
    const { calls, services } = servicesWith(() => (isFailing ? error : undefined))
    const file = small()
    await expect(uploadDevices(file, services)).rejects.toThrow(error.message)
    isFailing = false
    await uploadDevices(file, services)
    expect(keysOf(calls)).toBe(keys)
    // A new upload of what the server has answered is another change.
    await uploadDevices(file, services)
    expect(keysOf(calls)).toBe(keys + 1)
  })

  test('asks before the person logs out, until its secrets are shown', async () => {
    const question = () => sessionCommands.map(command => command.prepare(currentContext(), {}).question?.text)
    let meanwhile
    const { services } = servicesWith(() => {
      meanwhile = question()
      return undefined
    })
    await uploadDevices(small(), services)
    expect(meanwhile).toEqual([expect.stringContaining('secrets of the devices')])
    expect(question()).toEqual([undefined])
  })
})
