/** Chart commands load their actions once. */
import { expect, test } from 'vitest'
import { runAction } from '../../../../src/commands/charts/needs.ts'

test('once the actions are loaded, one runs before another key can be pressed', async () => {
  await runAction(() => undefined)()
  let ran = false
  void runAction(() => (ran = true))()
  // A key press is a task, and promises are continued before the next one.
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  expect(ran).toBe(true)
})
