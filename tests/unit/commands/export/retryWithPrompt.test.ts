import { expect, test } from 'vitest'
import { ApiError } from '../../../../src/api/errors.ts'
import { retryWithPrompt } from '../../../../src/commands/export/retryWithPrompt.ts'
import { overlay } from '../../../../src/store/overlays.ts'
import { until } from '../../../support/until.ts'

const { signal } = new AbortController()
const noTime = () => Promise.resolve()

/** Rejects with `error` the first `times` calls, and then resolves. */
function failing(times: number, error: Error) {
  let calls = 0
  return {
    read: () => (++calls > times ? Promise.resolve('read') : Promise.reject(error)),
    calls: () => calls,
  }
}
const unreachable = new ApiError(0, 'The server cannot be reached')

test('transient errors are retried', async () => {
  for (const error of [unreachable, new ApiError(503, 'Busy'), new ApiError(429, 'Too many')]) {
    const { read, calls } = failing(3, error)
    await expect(retryWithPrompt(read, () => '', signal, noTime)).resolves.toBe('read')
    expect(calls()).toBe(4)
  }
})

test('permanent errors are not retried', async () => {
  for (const error of [new ApiError(400, 'No such column'), new ApiError(403, 'No'), new TypeError('broken')]) {
    const { read, calls } = failing(1, error)
    await expect(retryWithPrompt(read, () => '', signal, noTime)).rejects.toBe(error)
    expect(calls()).toBe(1)
  }
})

test('after the retries the person is asked, with the progress so far', async () => {
  const { read, calls } = failing(5, unreachable)
  const reading = retryWithPrompt(read, () => '1,204 devices', signal, noTime)
  await until(() => expect(overlay.question).toBeDefined())
  expect(calls()).toBe(4)
  expect(overlay.question).toMatchObject({ title: '1,204 devices read so far', action: 'Try again' })
  expect(overlay.question?.text).toContain('The server cannot be reached')
  overlay.question?.answer(true)
  await expect(reading).resolves.toBe('read')
})

test('declining the prompt rejects with the error', async () => {
  const reading = retryWithPrompt(failing(9, unreachable).read, () => '3 devices', signal, noTime).catch(
    (error: unknown) => error,
  )
  await until(() => expect(overlay.question).toBeDefined())
  overlay.question?.answer(false)
  expect(await reading).toBe(unreachable)
})

test('cancelling ends the pause before a retry', async () => {
  const cancel = new AbortController()
  const { read, calls } = failing(9, unreachable)
  const reading = retryWithPrompt(read, () => '', cancel.signal).catch((error: unknown) => error)
  await until(() => expect(calls()).toBe(1))
  cancel.abort()
  expect(await reading).toMatchObject({ name: 'AbortError' })
  expect(calls()).toBe(1)
})
