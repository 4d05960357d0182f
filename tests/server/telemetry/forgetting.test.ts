/** Deleting the rows of deleted devices in ClickHouse waits for what it has begun, and for nothing else. */
import { beforeEach, expect, test } from 'vitest'
import { forgottenDevices } from '../../../server/db/schema/telemetry.ts'
import type { Connection } from '../../../server/telemetry/clickhouse/connection.ts'
import { deleteTelemetry } from '../../../server/telemetry/clickhouse/retention.ts'
import { startServer } from '../support/harness.ts'

const { db } = await startServer()
const never = new AbortController().signal
const bssid = 'FE:00:00:00:00:99'
const left = () => db.$count(forgottenDevices)

/** Returns a ClickHouse with a mutation that never ends, whose own ones end once they have been looked at `looks` times. */
function clickHouse(looks: number) {
  let begun = 0
  let looked = 0
  const connection: Connection = {
    database: 'permeate',
    run: async () => void begun++,
    rows: async <Row>() => {
      if (begun > 0) looked++
      const own = looked > looks ? 0 : begun
      return ['stuck', ...Array.from({ length: own }, (_, index) => `readings ${index}`)].map(
        mutation => ({ mutation }) as Row,
      )
    },
    insert: async () => undefined,
    canStore: () => true,
    isAnswering: () => true,
    close: async () => undefined,
  }
  return { connection, looked: () => looked }
}

beforeEach(() => db.insert(forgottenDevices).values({ bssid }).onConflictDoNothing())

test('it ends once its own mutations have ended', async () => {
  const { connection, looked } = clickHouse(3)
  expect(await deleteTelemetry(db, connection, { stop: never })).toBe(false)
  expect(looked()).toBe(4)
  expect(await left()).toBe(0)
})

test('a server that stops does not wait, and the devices are removed later', async () => {
  const stop = AbortSignal.timeout(300)
  expect(await deleteTelemetry(db, clickHouse(Infinity).connection, { stop })).toBe(true)
  expect(await left()).toBe(1)
})

test('after its time it begins with no further devices', async () => {
  expect(await deleteTelemetry(db, clickHouse(0).connection, { stop: never, maxTime: 0 })).toBe(true)
  expect(await left()).toBe(1)
})
