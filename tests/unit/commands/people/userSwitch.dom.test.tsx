/** Resetting a person's state when another person signs in in another tab. */
import { render, screen } from '@testing-library/react'
import useSWR from 'swr'
import { beforeAll, expect, test } from 'vitest'
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
    repeatable: true,
    failed: [],
    failureReport: undefined,
    again,
  })
}

beforeAll(() => resetOnUserSwitch())

test('another person’s session resets the state, and a new token of the same person keeps it', async () => {
  owner.id = 'ada'
  as('ada', '1')
  work()
  as('ada', '2')
  await Promise.resolve()
  expect(selections.groups.size).toBe(1)
  as('ben', '3')
  await expect.poll(() => selections.groups.size).toBe(0)
  expect(lastRun()).toBeUndefined()
  expect(owner.id).toBe('ben')
})

function Name() {
  const { data } = useSWR('/name', () => Promise.resolve(`Devices of ${owner.id}`))
  return <p>{data ?? 'Nothing'}</p>
}

test('an open screen is read again for the person who signed in, and shows nothing of the previous one', async () => {
  owner.id = 'cleo'
  as('cleo', '4')
  render(<Name />)
  await screen.findByText('Devices of cleo')
  as('dora', '5')
  await screen.findByText('Nothing')
  await screen.findByText('Devices of dora')
})
