/** Commands on findings: what they send, and what undoes them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import { currentContext, withTargets } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { SendIds, Services } from '../../../../src/commands/core/types.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { openFinding } from '../../../../src/store/openFinding.ts'
import type { AnyItem } from '../../../../src/store/selection.ts'
import '../../support/allCommands.ts'

const bssid = '30:AE:A4:04:74:8C'
const items: readonly AnyItem[] = [
  { id: 'f1', name: bssid, row: { _id: 'f1', bssid } },
  { id: 'f2', name: bssid, row: { _id: 'f2', bssid } },
]
const context = (targets = items) => withTargets(currentContext(), 'findings', targets)

beforeEach(() => setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u', userRole: 'vendor', login: 'vendor' }))
afterEach(clearSession)

/** Returns the path and the body that a command sends for both findings. */
async function sentBy(id: CommandId, input: object): Promise<readonly [path: string, body: unknown]> {
  const { operation } = commandOf(id).prepare(context(), input)
  const call = vi.fn<(...args: unknown[]) => Promise<unknown>>().mockResolvedValue({ count: 2, total: 2, failed: [] })
  await operation!.send!(['f1', 'f2'], { call: call as Parameters<SendIds>[1]['call'], preview: false })
  const [endpoint, { body }] = call.mock.calls[0] as [{ path: string }, { body: unknown }]
  return [endpoint.path, body]
}

const ids = ['f1', 'f2']
test.each([
  ['finding.confirm', {}, 'verdict', { ids, verdict: 'found' }],
  ['finding.confirmCause', { cause: 'scaling' }, 'verdict', { ids, verdict: 'scaling' }],
  ['finding.dismiss', {}, 'verdict', { ids, verdict: 'none' }],
  ['finding.takeBack', {}, 'verdict', { ids, verdict: null }],
  ['finding.shelve', { days: 7 }, 'shelve', { ids, days: 7, reason: '' }],
  ['finding.shelve', { days: 1, reason: 'Visit' }, 'shelve', { ids, days: 1, reason: 'Visit' }],
  ['finding.unshelve', {}, 'shelve', { ids, days: 0, reason: '' }],
] as const)('%s %j is one call', async (id, input, path, body) => {
  expect(await sentBy(id, input)).toEqual([`/api/v3/health/findings/${path}`, body])
})

test.each([
  ['finding.dismiss', { verdict: null }, { id: 'finding.takeBack', input: {} }],
  ['finding.confirm', { verdict: 'none' }, { id: 'finding.dismiss', input: {} }],
  ['finding.takeBack', { verdict: 'fouling' }, { id: 'finding.confirmCause', input: { cause: 'fouling' } }],
  ['finding.confirm', { verdict: 'no cause' }, undefined],
  ['finding.shelve', { days: 0, reason: '' }, { id: 'finding.unshelve', input: {} }],
  ['finding.shelve', { days: 7 }, undefined],
  ['device.resetBaseline', { reset: false }, { id: 'device.restoreBaseline', input: {} }],
  ['device.restoreBaseline', { reset: true }, { id: 'device.resetBaseline', input: {} }],
] as const)('%s is undone from %j', (id, earlier, inverse) => {
  expect(commandOf(id).undo!(earlier)).toEqual(inverse)
})

test('a finding opens its device', async () => {
  const go = vi.fn<(path: string) => void>()
  await commandOf('finding.open')
    .prepare(context(), {})
    .run({ go } as unknown as Services)
  expect(go).toHaveBeenCalledWith(`/devices/${bssid}`)
})

test('on the screen of a device, commands act on the finding that it shows', () => {
  expect(commandOf('finding.dismiss').availability(currentContext()).is).toBe('blocked')
  openFinding.item = items[0] as typeof openFinding.item
  expect(commandOf('finding.dismiss').availability(currentContext()).is).toBe('ready')
  expect(currentContext().targets('findings')).toMatchObject([{ id: 'f1' }])
  openFinding.item = undefined
})

test('without a finding, each command says what it needs', () => {
  for (const id of ['finding.open', 'finding.confirm', 'finding.shelve'] as const)
    expect(commandOf(id).availability(context([]))).toEqual({
      is: 'blocked',
      reason: 'At least one finding must be selected',
    })
})
