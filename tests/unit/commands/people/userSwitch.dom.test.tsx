/** Resetting a person's state when another person signs in in another tab. */
import { expect, test } from 'vitest'
import { resetOnUserSwitch } from '../../../../src/commands/people/userSwitch.ts'
import { lastRun, recordLastRun } from '../../../../src/commands/core/runs/lastRun.ts'
import { selections } from '../../../../src/store/selection.ts'
import { owner, setSession } from '../../../../src/store/session.ts'

const as = (userId: string, accessToken: string) =>
  setSession({ accessToken, refreshToken: 'r', userId, userRole: 'admin', login: userId })

function work() {
  selections.groups.add([{ id: 'g', name: 'North', row: {} }])
  const again = () => Promise.resolve()
  recordLastRun({
    id: 'device.flush',
    title: 'Flush',
    input: {},
    repeatable: true,
    failed: [],
    failureReport: undefined,
    again,
  })
}

test('another person’s session resets the state, and a new token of the same person keeps it', async () => {
  owner.id = 'ada'
  as('ada', '1')
  resetOnUserSwitch()
  work()
  as('ada', '2')
  await Promise.resolve()
  expect(selections.groups.size).toBe(1)
  as('ben', '3')
  await expect.poll(() => selections.groups.size).toBe(0)
  expect(lastRun()).toBeUndefined()
  expect(owner.id).toBe('ben')
})
