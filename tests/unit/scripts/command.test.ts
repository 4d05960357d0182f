/** How commands for operators are stopped. */
import { expect, onTestFinished, test } from 'vitest'
import { untilStopped } from '../../../scripts/command.ts'

test('Ctrl+C, which npm sends a second time, leaves a command the time to clean up', () => {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const others = new Map(signals.map(signal => [signal, new Set(process.listeners(signal))]))
  const added = (signal: (typeof signals)[number]) =>
    process.listeners(signal).filter(listener => !others.get(signal)?.has(listener))
  onTestFinished(() => {
    for (const signal of signals) for (const listener of added(signal)) process.off(signal, listener)
  })
  const stopping = untilStopped()
  process.emit('SIGINT')
  expect(stopping.aborted).toBe(true)
  // Without a listener, the next signal would end the process at once.
  expect(added('SIGINT')).toHaveLength(1)
})
