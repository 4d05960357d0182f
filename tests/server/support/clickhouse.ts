/** A ClickHouse for a test file. */
import { afterAll } from 'vitest'
import { launchClickHouse, type ClickHouse } from '../../support/clickhouse.ts'

/** Starts a ClickHouse; it is stopped after the file's last test. */
export async function startClickHouse(): Promise<ClickHouse> {
  const clickHouse = await launchClickHouse()
  afterAll(clickHouse.remove)
  return clickHouse
}
