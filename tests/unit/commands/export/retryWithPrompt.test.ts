import { expect, test } from 'vitest'
import { ApiError } from '../../../../src/api/errors.ts'
import { retryWithPrompt } from '../../../../src/commands/export/retryWithPrompt.ts'
import { overlay } from '../../../../src/store/overlays.ts'
import { until } from '../../../support/until.ts'

const { signal } = new AbortController()
const noTime = () => Promise.resolve()

/** Fails so often, each time with the same, and then answers. */
function failing(times: number, error: Error) {
  let calls = 0
  return {
    read: () => (++calls > times ? Promise.resolve('read') : Promise.reject(error)),
    calls: () => calls,
  }
}
const away = new ApiError(0, 'The server cannot be reached')

test('what passes by itself is tried again', async () => {
  for (const error of [away, new ApiError(503, 'Busy'), new ApiError(429, 'Too many')]) {
    const { read, calls } = failing(3, error)
    await expect(retryWithPrompt(read, () => '', signal, noTime)).resolves.toBe('read')
    expect(calls()).toBe(4)
  }
})

test('what is refused is refused at once', async () => {
  for (const error of [new ApiError(400, 'No such column'), new ApiError(403, 'No'), new TypeError('broken')]) {
    const { read, calls } = failing(1, error)
    await expect(retryWithPrompt(read, () => '', signal, noTime)).rejects.toBe(error)
    expect(calls()).toBe(1)
  }
})

test('after that the person decides, told how much has been read', async () => {
  const { read, calls } = failing(5, away)
  const reading = retryWithPrompt(read, () => '1,204 devices', signal, noTime)
  await until(() => expect(overlay.question).toBeDefined())
  expect(calls()).toBe(4)
  expect(overlay.question).toMatchObject({ title: '1,204 devices read so far', action: 'Try again' })
  expect(overlay.question?.text).toContain('The server cannot be reached')
  overlay.question?.answer(true)
  await expect(reading).resolves.toBe('read')
})

test('who does not go on gets the failure', async () => {
  const reading = retryWithPrompt(failing(9, away).read, () => '3 devices', signal, noTime).catch(
    (error: unknown) => error,
  )
  await until(() => expect(overlay.question).toBeDefined())
  overlay.question?.answer(false)
  expect(await reading).toBe(away)
})

test('cancelled while it waits: it waits no longer', async () => {
  const cancel = new AbortController()
  const { read, calls } = failing(9, away)
  const reading = retryWithPrompt(read, () => '', cancel.signal).catch((error: unknown) => error)
  await until(() => expect(calls()).toBe(1))
  cancel.abort()
  expect(await reading).toMatchObject({ name: 'AbortError' })
  expect(calls()).toBe(1)
})
