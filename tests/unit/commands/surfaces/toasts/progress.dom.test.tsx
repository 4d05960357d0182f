/** The progress of a bulk operation while it runs. */
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { vendors } from '../../../../../src/api/contract/accounts.ts'
import { commandOf } from '../../../../../src/commands/core/registry.ts'
import { host } from '../../../../../src/commands/surfaces/host/host.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import { Toaster } from '../../../../../src/ui/Toaster.tsx'

let calls: { ids: string[]; answer: () => void }[]

beforeEach(() => {
  vi.useFakeTimers()
  calls = []
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit) => {
    const { ids } = JSON.parse(body as string) as { ids: string[] }
    const data = { count: ids.length, total: ids.length, failed: [] }
    return new Promise(resolve => {
      calls.push({
        ids,
        answer: () => resolve(new Response(JSON.stringify({ data }))),
      })
    })
  })
})
afterEach(() => {
  cleanup()
  clearSession()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const waitFor = (milliseconds: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds)
    // The progress component is loaded on demand.
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(0)
  })
const shown = () => screen.queryByText(/^[\d,]+ of /)?.textContent

test('progress counts the ids of finished calls', async () => {
  render(<Toaster />)
  const ids = Array.from({ length: 100 }, (_, at) => `vendor ${at}`)
  const targets = ids.map(id => ({ id, name: id, row: undefined }))
  const { services, end } = await host.begin(commandOf('vendors.delete'), {
    input: {},
    targets,
    skipped: [],
    search: undefined,
    policy: undefined,
  })
  const running = services.carryOut(
    { send: (some, { call }) => call(vendors.delete, { body: { ids: [...some] } }) },
    ids,
  )
  await waitFor(100)
  expect(shown()).toBeUndefined()
  await waitFor(400)
  expect(shown()).toBe('0 of 100')

  const [first, second] = calls
  first!.answer()
  await waitFor(0)
  expect(shown()).toBe(`${first!.ids.length} of 100`)
  for (const part of [`${first!.ids.length} done`, `${second!.ids.length} left`])
    expect(screen.queryByText(part)).not.toBeNull()
  second!.answer()
  expect((await running).done).toEqual(ids)
  end({ is: 'done', outcome: await running, message: undefined, before: [] })
  await waitFor(0)
  expect(shown()).toBeUndefined()
})
