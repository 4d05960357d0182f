/** Copying a link to a command with the policy that is typed after it. */
import { expect, test } from 'vitest'
import { parsePolicy } from '../../../../../src/commands/arguments/policy.ts'
import { copyLinkTo } from '../../../../../src/commands/surfaces/palette/paletteActions.ts'
import { setExecutor } from '../../../../../src/commands/surfaces/run/run.ts'

test('the start in a link is the same moment for everyone who opens it', async () => {
  const links: unknown[] = []
  setExecutor((_command, { input }) => {
    links.push(input)
    return Promise.resolve({ is: 'done' })
  })
  const typed = parsePolicy('at 22:00 rate 5', Date.now())
  const start = 'policy' in typed && typeof typed.policy.start === 'string' ? typed.policy.start : ''
  expect(await copyLinkTo('device.lock', [], [], typed)).toBe(true)
  expect(links).toEqual([{ command: `device.lock&policy=start+${start}+rate+5` }])
})
