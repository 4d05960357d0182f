/** The way to the devices: the gateway itself, or what sends commands through other servers' gateways. */
import { holdBrokerKind } from '../devices/gateway/brokerKind.ts'
import { openGateway, type Gateway } from '../devices/gateway/gateway.ts'
import type { HandingOn } from '../devices/gateway/handOn.ts'
import { openSendingLink } from '../devices/gateway/sendingLink.ts'
import { openHealthSums } from '../devices/ingest/healthSums.ts'
import { openIngest } from '../devices/ingest/readings.ts'
import { whileThereIsRoom } from '../devices/ingest/room.ts'
import { openStates } from '../devices/ingest/states.ts'
import type { Link } from '../devices/link.ts'
import { watchIngest, watchLink, watchPost } from '../metrics/watch.ts'
import type { Traffic } from '../servers/announce.ts'
import { followGateways } from '../servers/gateways.ts'
import type { Base } from './base.ts'
import type { Closers } from './closers.ts'

/** Milliseconds by which a message that is handed on may be late. */
const settling = 50

export interface Devices {
  readonly link: Link
  /** Present with the role gateway. */
  readonly gateway: Gateway | undefined
  /** Returns the readings that wait to be stored. Present with the role gateway. */
  readonly pending: (() => number) | undefined
  readonly traffic: () => Promise<Traffic>
}

export async function openDevices(base: Base, closers: Closers): Promise<Devices> {
  const { config, log, metrics } = base
  if (config.databaseUrl !== undefined) {
    const kind = config.mqttUrl === undefined ? 'embedded' : 'external'
    closers.add(await holdBrokerKind(config.databaseUrl, kind, log))
  }
  if (!config.roles.includes('gateway')) {
    const link = await openSendingLink({ ...base, mqttUrl: config.mqttUrl })
    closers.add(link.close)
    return { link: watchLink(link, metrics), gateway: undefined, pending: undefined, traffic: async () => noTraffic }
  }
  const healthSums = openHealthSums(base)
  closers.add(healthSums.close)
  const handingOn = await openHandingOn(base, closers)
  const ingest = watchIngest(openIngest({ ...base, healthSums, ...(handingOn && { settling }) }), metrics)
  closers.add(() => ingest.close())
  const states = openStates(base)
  closers.add(() => states.close())
  const gateway = await openGateway({
    ...base,
    ...whileThereIsRoom({ ingest, states }, base.serving.state),
    handingOn,
  })
  closers.add(gateway.close)
  const { brokerState } = gateway
  const pending = () => ingest.pending
  const traffic = async () => ({
    devices: brokerState.kind === 'embedded' ? brokerState.countDevices() : null,
    stored: (await metrics.readingsStored.get()).values[0]?.value ?? 0,
    pending: pending(),
  })
  return { link: watchLink(gateway.link, metrics), gateway, pending, traffic }
}

/** Opens what a gateway hands messages on by; `undefined` if it has an embedded broker, no NATS, or is not to. */
async function openHandingOn(base: Base, closers: Closers): Promise<HandingOn | undefined> {
  const { config, db, log, metrics, serverId: id } = base
  const { databaseUrl, natsUrl, mqttUrl, handOn } = config
  if (databaseUrl === undefined || natsUrl === undefined || mqttUrl === undefined || !handOn) return undefined
  const { openPost } = await import('../bus/post.ts')
  const post = await openPost({ databaseUrl, natsUrl })
  closers.add(post.close)
  const { ownerOf, close } = followGateways(db, id, log)
  closers.add(close)
  return { id, post: watchPost(post, metrics), ownerOf }
}

const noTraffic: Traffic = { devices: null, stored: null, pending: null }
