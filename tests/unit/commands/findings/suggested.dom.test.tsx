/** What is offered with a finding: a command that helps against its cause. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Finding } from '../../../../src/api/contract/findings.ts'
import { models } from '../../../../src/api/contract/models.ts'
import { currentContext, withTargets } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { actionOfFinding } from '../../../../src/commands/findings/suggested.ts'
import { answer } from '../../../../src/commands/notifications/actions.ts'
import { actionOf } from '../../../../src/commands/notifications/focus.ts'
import { itemOf } from '../../../../src/api/lists.ts'
import type { Capability } from '../../../../src/domain/device.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import type { FindingNotice } from '../../../../src/store/notificationsView.ts'
import { fouling } from '../../support/deviceHealth.ts'
import '../../support/allCommands.ts'

const device = {
  bssid: fouling.bssid,
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  status: 0,
  platform: 'esp32',
  model: { _id: 'm1', name: 'Home' },
}

beforeEach(() => setSession({ accessToken: 'a', refreshToken: 'r', userId: 'u', userRole: 'vendor', login: 'vendor' }))
afterEach(clearSession)

/** Returns what a suggested action runs on a device whose model has these capabilities. */
async function ranBy(finding: Finding, capabilities: readonly Capability[]) {
  const runCommand = vi.fn<(...args: unknown[]) => Promise<unknown>>().mockResolvedValue({ is: 'done' })
  const call = (endpoint: unknown) =>
    Promise.resolve(endpoint === models.list ? { count: 1, data: [{ _id: 'm1', capabilities }] } : device)
  const context = withTargets(currentContext(), 'findings', [itemOf('findings', finding)])
  await commandOf('finding.answer')
    .prepare(context, {})
    .run({ call, runCommand } as unknown as Services)
  const [id, input, targets] = runCommand.mock.calls[0]!
  expect(targets).toMatchObject([{ id: fouling.bssid }])
  return [id, input]
}

/** The cartridge of the finding, not the one of its device that is due first. */
const replacing = ['device.replaceCartridges', { chosen: { [fouling.bssid]: [fouling.position] } }] as const
const closing = ['device.valve', { valve_closed: true }] as const
test.each([
  ['leak', ['valve', 'lock'], 'Stop the water', closing],
  ['valve_stuck', ['valve'], 'Stop the water', closing],
  ['leak', ['lock'], 'Stop the water', ['device.lock', {}]],
  // The command then says what the model lacks.
  ['leak', [], 'Stop the water', closing],
  ['prefilter', ['valve'], 'Plan replacement', replacing],
  ['worn', ['valve'], 'Plan replacement', replacing],
  ['outlet_tds_sensor', ['valve'], 'Explain', ['health.explain', {}]],
  ['unknown', ['valve'], 'Explain', ['health.explain', {}]],
] as const)('%s of a device with %j: %s', async (cause, capabilities, title, expected) => {
  const finding = { ...fouling, cause }
  expect(actionOfFinding(finding).title).toBe(title)
  expect(await ranBy(finding, capabilities)).toEqual(expected)
})

test('among the notifications a finding has the same action', async () => {
  const notice: FindingNotice = {
    _id: 'finding-f1',
    type: 'finding',
    device: { bssid: fouling.bssid, description: '', company_name: 'Clearspring' },
    created_at: fouling.detected_at,
    finding: { ...fouling, cause: 'leak' },
  }
  expect(actionOf(notice).title).toBe('Stop the water')
  const runCommand = vi.fn<(...args: unknown[]) => Promise<unknown>>().mockResolvedValue({ is: 'done' })
  await answer(notice, { runCommand } as unknown as Services)
  expect(runCommand).toHaveBeenCalledWith('finding.answer', {}, [
    expect.objectContaining({ row: notice.finding }) as unknown,
  ])
})
