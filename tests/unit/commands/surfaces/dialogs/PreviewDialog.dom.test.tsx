/** The preview of a bulk operation: Enter before it has loaded. */
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { commandOf } from '../../../../../src/commands/core/registry.ts'
import type { DryRun } from '../../../../../src/commands/core/types.ts'
import { PreviewDialog } from '../../../../../src/commands/surfaces/dialogs/PreviewDialog.tsx'
import type { OpenPreview } from '../../../../../src/commands/surfaces/dialogs/previewPrompt.ts'

afterEach(cleanup)

const targets = ['a', 'b'].map(id => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' }))
const plan: DryRun = { affected: ['a'], skipped: [{ id: 'b', message: 'Device is offline' }] }

function open({ danger = false, ...more }: Partial<OpenPreview> & { danger?: boolean } = {}) {
  const loading = Promise.withResolvers<DryRun>()
  const answer = vi.fn<OpenPreview['answer']>()
  const question = { title: 'Flush 2 devices', text: '', action: 'Flush', type: undefined, danger }
  const preview: OpenPreview = {
    command: commandOf('device.flush'),
    targets,
    source: 'Page 1',
    question: () => question,
    plan: undefined,
    policy: undefined,
    isSearch: false,
    isRetry: false,
    changed: [],
    check: () => loading.promise,
    answer,
    ...more,
  }
  render(<PreviewDialog preview={preview} />)
  return { answer, load: () => loading.resolve(plan), fail: () => loading.reject(new Error('Out of reach')) }
}

const replayEnter = () => screen.getByRole<HTMLFormElement>('form').requestSubmit()

test('names the selection that the targets come from', () => {
  open()
  expect(screen.getByText('Selection: Page 1')).toBeTruthy()
})

test.each([
  ['pressed in the dialog', () => userEvent.keyboard('{Enter}')],
  ['replayed', () => Promise.resolve(replayEnter())],
])('Enter %s while the preview loads approves it once it has loaded', async (_, enter) => {
  const { answer, load } = open()
  await enter()
  expect((await screen.findByText(/starts once the preview has loaded/)).textContent).toContain('Flush')
  expect(answer).not.toHaveBeenCalled()
  load()
  await waitFor(() => expect(answer).toHaveBeenCalledExactlyOnceWith(plan))
})

test.each([
  ['of a dangerous command', { danger: true }],
  ['that has changed since it was confirmed', { changed: [{ id: 'a', name: 'a', is: 'skipped', message: 'Offline' }] }],
] as unknown as [string, Parameters<typeof open>[0]][])(
  'a preview %s must be read before Enter approves it',
  async (_, more) => {
    const { answer, load } = open(more)
    await userEvent.keyboard('{Enter}')
    await screen.findByText(/Read this first/)
    load()
    await screen.findByText('1 will flush')
    expect(answer).not.toHaveBeenCalled()
    await userEvent.keyboard('{Enter}')
    expect(answer).toHaveBeenCalledExactlyOnceWith(plan)
  },
)

test('a replayed Enter does not approve a dangerous command, even if the preview has loaded', async () => {
  const { answer } = open({ danger: true, plan })
  replayEnter()
  await screen.findByText(/Read this first/)
  expect(answer).not.toHaveBeenCalled()
})

test('an early Enter neither approves nor retries a preview that failed to load', async () => {
  const { answer, fail } = open()
  replayEnter()
  fail()
  await screen.findByText(/could not be loaded: Out of reach/)
  expect(answer).not.toHaveBeenCalled()
})

test('the policy of a retry has chips and keys, without a repetition, and keeps when an update has succeeded', async () => {
  const policies: unknown[] = []
  const policy = { rate: 10, success: { minutes: 30 } }
  const check: OpenPreview['check'] = (_, chosen) => {
    policies.push(chosen)
    return Promise.resolve(plan)
  }
  open({ policy, check, isRetry: true })
  const chips = screen.getByRole('group', { name: 'Policy' })
  expect(chips.textContent).toContain('10 a minute')
  expect(chips.textContent).not.toContain('Repeat')
  await userEvent.keyboard('e')
  await userEvent.keyboard('r')
  await waitFor(() => expect(policies).toEqual([policy, { rate: 100, success: { minutes: 30 } }]))
  await userEvent.keyboard('p')
  await userEvent.clear(screen.getByRole('textbox', { name: 'Policy as text' }))
  await userEvent.keyboard('repeat daily{Enter}')
  expect(screen.getByRole('alert').textContent).toBe('A retry cannot be repeated')
  await userEvent.clear(screen.getByRole('textbox', { name: 'Policy as text' }))
  await userEvent.keyboard('waves 5{Enter}')
  await waitFor(() => expect(policies.at(-1)).toEqual({ waves: [{ size: 5 }], success: { minutes: 30 } }))
})

test('Enter right after a key that changes the policy approves the plan of the new policy', async () => {
  const planOf = (policy: unknown): DryRun => ({ ...plan, skipped: [{ id: 'b', message: JSON.stringify(policy) }] })
  const check = vi.fn<OpenPreview['check']>((_, policy) => Promise.resolve(planOf(policy)))
  const { answer } = open({ policy: { rate: 10 }, check })
  await screen.findByText('1 will flush')
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
  // React renders by its own schedule, as in a browser: effects may run after the next key.
  environment.IS_REACT_ACT_ENVIRONMENT = false
  try {
    screen.getByRole('form').dispatchEvent(new KeyboardEvent('keydown', { key: 't', bubbles: true }))
    await Promise.resolve()
    replayEnter()
    await waitFor(() => expect(answer).toHaveBeenCalledExactlyOnceWith(planOf({ rate: 10, retries: 1 })))
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = true
  }
})
