/** Disconnects devices whose credentials have ended: they were deleted, or have new secrets. */
import type { Bus } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import { anyOf } from '../../db/anyOf.ts'
import type { Database } from '../../db/database.ts'
import { deviceCredentials } from '../../db/schema/wire.ts'
import type { Broker } from './broker.ts'

interface EndedCredentialsOptions {
  readonly db: Database
  readonly bus: Bus
  readonly log: Log
  readonly broker: Pick<Broker, 'connectionOf' | 'connections' | 'disconnect'>
}

/** Disconnects such devices from the broker of this server from now on. Returns the function that ends this. */
export function watchCredentials({ db, bus, log, broker }: EndedCredentialsOptions): () => void {
  /** Makes up for lost events. */
  const compare = async () => {
    const connections = broker.connections()
    const bssids = connections.map(({ bssid }) => bssid)
    const { bssid, hash } = deviceCredentials
    const rows = await db.select({ bssid, hash }).from(deviceCredentials).where(anyOf(bssid, bssids))
    const hashes = new Map(rows.map(row => [row.bssid, row.hash]))
    const ended = connections.filter(
      // A device that has signed in meanwhile did so with its new credentials.
      one => hashes.get(one.bssid) !== one.hash && broker.connectionOf(one.bssid) === one,
    )
    broker.disconnect(ended.map(one => one.bssid))
  }
  return bus.subscribe(event => {
    if (event.kind === 'deleted' || event.kind === 'credentials') broker.disconnect(event.bssids)
    if (event.kind === 'missed')
      compare().catch((error: unknown) => log.error('Could not check the credentials of connected devices', error))
  })
}
