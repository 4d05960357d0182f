import { expect, test, vi } from 'vitest'
import { retry } from '../../../../src/domain/lib/retry.ts'

const transient = new Error('busy')
const policy = {
  isTransient: (error: unknown) => error === transient,
  delay: (attempt: number) => [1, 2][attempt],
}

test('work is retried after each delay, and no further', async () => {
  const work = vi.fn<() => Promise<never>>(() => Promise.reject(transient))
  const slept: number[] = []
  const sleep = (milliseconds: number) => Promise.resolve(void slept.push(milliseconds))
  await expect(retry(work, { ...policy, sleep })).rejects.toBe(transient)
  expect(work).toHaveBeenCalledTimes(3)
  expect(slept).toEqual([1, 2])
})

test('a final failure is not retried', async () => {
  const final = new Error('refused')
  const work = vi.fn<() => Promise<never>>(() => Promise.reject(final))
  await expect(retry(work, policy)).rejects.toBe(final)
  expect(work).toHaveBeenCalledTimes(1)
})

test('an abort ends the pause between attempts', async () => {
  const abort = new AbortController()
  const work = vi.fn<() => Promise<never>>(() => Promise.reject(transient))
  const result = retry(work, { ...policy, delay: () => 60_000, signal: abort.signal }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1))
  abort.abort()
  expect(await result).toMatchObject({ name: 'AbortError' })
})

test('an abort during an attempt leaves no pause after it', async () => {
  const abort = new AbortController()
  const work = () => {
    abort.abort()
    return Promise.reject<never>(transient)
  }
  const result = retry(work, { ...policy, delay: () => 3_600_000, signal: abort.signal })
  await expect(result).rejects.toMatchObject({ name: 'AbortError' })
})
