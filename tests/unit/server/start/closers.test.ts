/** The parts of a server are closed one after the other, however often it is told to stop. */
import { expect, test } from 'vitest'
import { openClosers } from '../../../../server/start/closers.ts'

test('a second signal waits for the first shutdown, which closes in the reverse order', async () => {
  const closers = openClosers()
  const steps: string[] = []
  const requests = Promise.withResolvers<void>()
  closers.add(() => steps.push('database'))
  closers.add(async () => {
    steps.push('web')
    await requests.promise
    steps.push('requests have ended')
  })
  const stopped = [closers.closeAll(), closers.closeAll()]
  requests.resolve()
  await Promise.all(stopped)
  expect(steps).toEqual(['web', 'requests have ended', 'database'])
})
