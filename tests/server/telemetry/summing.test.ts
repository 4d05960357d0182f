/** Summing the hours that have ended in ClickHouse goes on where it stopped. */
import { beforeEach, expect, test } from 'vitest'
import { telemetryState } from '../../../server/db/schema/telemetry.ts'
import type { Connection } from '../../../server/telemetry/clickhouse/connection.ts'
import { hourOf, sumEnded } from '../../../server/telemetry/clickhouse/sums.ts'
import { msPerHour } from '../../../src/domain/time.ts'
import { startServer } from '../support/harness.ts'

const { db } = await startServer()
const begun = Date.parse('2026-03-01T00:00:00Z')
const now = begun + 10 * msPerHour
/** Hours that have readings, counted from the beginning. */
const withReadings = [0, 2, 5]

/** Returns a ClickHouse that notes which hours it sums, `sum` before each. */
function clickHouse(sum: (hour: number) => void) {
  const summed = new Set<number>()
  const connection: Connection = {
    database: 'permeate',
    run: async statement => {
      const hour = Number(/hour = (\d+)/.exec(statement)![1]) - hourOf(begun)
      sum(hour)
      summed.add(hour)
    },
    rows: async <Row>(query: string) => {
      const from = Number(/hour >= (\d+)/.exec(query)![1])
      const hours = withReadings.map(hour => hourOf(begun) + hour).filter(hour => hour >= from)
      return hours.map(hour => ({ hour }) as Row)
    },
    insert: async () => undefined,
    canStore: () => true,
    isAnswering: () => true,
    close: async () => undefined,
  }
  return { connection, summed: () => [...summed] }
}
const never = new AbortController().signal

beforeEach(() => db.update(telemetryState).set({ summing_until: new Date(begun), summed_until: new Date(begun) }))

test('after a failure only the hours are summed that were not', async () => {
  const failing = clickHouse(hour => {
    if (hour === 2) throw new Error('ClickHouse is away')
  })
  await expect(sumEnded(db, failing.connection, now, never)).rejects.toThrow('away')
  expect(failing.summed()).toEqual([0])
  const working = clickHouse(() => undefined)
  await sumEnded(db, working.connection, now, never)
  expect(working.summed()).toEqual([2, 5])
  await sumEnded(db, working.connection, now, never)
  expect(working.summed()).toEqual([2, 5])
})

test('a server that stops ends after an hour, and the rest is summed later', async () => {
  const stop = new AbortController()
  const stopped = clickHouse(() => stop.abort())
  await sumEnded(db, stopped.connection, now, stop.signal)
  expect(stopped.summed()).toEqual([0])
  const next = clickHouse(() => undefined)
  await sumEnded(db, next.connection, now, never)
  expect(next.summed()).toEqual([2, 5])
})
