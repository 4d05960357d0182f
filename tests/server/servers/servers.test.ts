/** The list of servers, and what a server says of itself. */
import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { localBus, type Bus } from '../../../server/bus/bus.ts'
import { newId } from '../../../server/db/id.ts'
import { servers } from '../../../server/db/schema/servers.ts'
import { announce, type Traffic } from '../../../server/servers/announce.ts'
import { followGateways, type Gateways } from '../../../server/servers/gateways.ts'
import { watchReachability } from '../../../server/servers/reachability.ts'
import { hasRunningServer, pruneServers } from '../../../server/servers/lease.ts'
import { until } from '../../support/until.ts'
import { startServer } from '../support/harness.ts'

const { db, bus, call, signIn } = await startServer()
const log = { info: () => undefined, error: () => undefined }
const traffic = async (): Promise<Traffic> => ({ devices: 3, stored: 10, pending: 2 })
afterEach(async () => void (await db.delete(servers)))

const insert = (id: string, seconds: number) =>
  db.insert(servers).values({
    id,
    name: `${id}/1`,
    roles: ['gateway'],
    version: '1.0.0',
    started_at: new Date(),
    seen_at: sql`now() - ${seconds} * interval '1 second'`,
    cpu: 12,
    lag: 3,
    memory: 200,
  })
const list = async (query = '') => {
  const { access_token } = await signIn('superadmin')
  const answer = await call('GET', `/api/v3/servers${query}`, { token: access_token })
  expect(answer.statusCode).toBe(200)
  return answer.json<{ data: { count: number; data: { name: string; state: string }[] } }>().data
}

test('a server that has not reported for 15 seconds does not respond, and is forgotten after a day', async () => {
  await insert('new', 10)
  await insert('late', 20)
  await insert('old', 25 * 3600)
  const states = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(({ name, state }) => [name, state])
  expect(states(await list())).toEqual([
    ['late/1', 'silent'],
    ['new/1', 'running'],
    ['old/1', 'silent'],
  ])
  expect(states(await list('?search=silent&column=state&operator=eq&sort=name&direction=desc'))).toEqual([
    ['old/1', 'silent'],
    ['late/1', 'silent'],
  ])
  expect(states(await list('?search=gateway&column=roles'))).toHaveLength(3)
  expect(states(await list('?search=worker&column=roles'))).toHaveLength(0)
  await pruneServers(db)
  expect((await list()).count).toBe(2)
})

test('only what runs counts as listening to devices', async () => {
  await insert('late', 20)
  expect(await hasRunningServer(db, 'gateway')).toBe(false)
  await insert('new', 1)
  expect(await hasRunningServer(db, 'gateway')).toBe(true)
  expect(await hasRunningServer(db, 'worker')).toBe(false)
})

test('a server announces itself at once, tells consoles, and leaves when it closes', async () => {
  const events: string[] = []
  const unsubscribe = bus.subscribe(event => {
    if (event.kind === 'resources') events.push(...event.names)
    if (event.kind === 'server') events.push('announced')
  })
  const announced = await announce({ id: newId(), db, bus, log, roles: ['web', 'gateway'], traffic })
  expect(await list()).toMatchObject({
    count: 1,
    data: [{ roles: ['web', 'gateway'], state: 'running', devices: 3, readings: 0, pending: 2 }],
  })
  expect(await list('?search=connected&column=bus_state')).toMatchObject({
    data: [{ bus: 'postgres', bus_state: 'connected' }],
  })
  await announced.close()
  expect((await list()).count).toBe(0)
  unsubscribe()
  expect(events).toEqual(['announced', 'servers', 'servers'])
})

/** Watches which servers a server reaches on its bus, with a clock of its own. */
function openWatch(its: Bus, id: string) {
  let at = 0
  const reachability = watchReachability(db, its, id, () => at)
  onTestFinished(() => reachability.close())
  return { find: reachability.findUnreachable, advance: (seconds: number) => void (at += seconds * 1000) }
}
const insertWithBus = async (id: string) => {
  await insert(id, 0)
  await db.update(servers).set({ bus: 'nats', bus_state: 'connected' }).where(eq(servers.id, id))
}

test('a server names running servers from which nothing has arrived on its bus for 20 seconds', async () => {
  const its = localBus()
  await insertWithBus('own')
  await insertWithBus('reachable')
  await insertWithBus('apart')
  // Neither a killed one, nor one of a version that says nothing of a bus.
  await insert('killed', 20)
  await insert('older', 0)
  const { find, advance } = openWatch(its, 'own')
  expect(await find()).toEqual([])
  advance(20)
  expect(await find()).toEqual([])
  its.publish({ kind: 'server', id: 'reachable' })
  advance(1)
  expect(await find()).toEqual(['apart/1'])
  // After an interruption nothing arrived, so all of them get time again.
  its.publish({ kind: 'missed' })
  expect(await find()).toEqual([])
  advance(21)
  expect((await find()).toSorted()).toEqual(['apart/1', 'reachable/1'])
  its.publish({ kind: 'server', id: 'reachable' })
  its.publish({ kind: 'server', id: 'apart' })
  expect(await find()).toEqual([])
})

test('a server misses nobody while its bus or theirs is disconnected, and gives them time afterwards', async () => {
  let isConnected = true
  const its = localBus()
  const { find, advance } = openWatch({ ...its, state: () => ({ ...its.state(), isConnected }) }, 'own')
  await insertWithBus('other')
  const say = (bus_state: 'connected' | 'disconnected') =>
    db.update(servers).set({ bus_state }).where(eq(servers.id, 'other'))
  await find()
  advance(21)
  isConnected = false
  expect(await find()).toEqual([])
  isConnected = true
  await say('disconnected')
  expect(await find()).toEqual([])
  await say('connected')
  expect(await find()).toEqual([])
  advance(21)
  expect(await find()).toEqual(['other/1'])
})

test('devices are divided among the gateways that run with NATS, and this server', async () => {
  const lines: string[] = []
  const follow = (id: string) => followGateways(db, id, { ...log, error: text => lines.push(text) })
  const ownersBy = ({ ownerOf }: Gateways) =>
    new Set(Array.from({ length: 200 }, (_, at) => ownerOf(`A0:B1:C2:D3:E4:${at.toString(16).padStart(2, '0')}`)))
  await insertWithBus('other')
  await insertWithBus('web')
  await db
    .update(servers)
    .set({ roles: ['web', 'worker'] })
    .where(eq(servers.id, 'web'))
  await insertWithBus('killed')
  await db
    .update(servers)
    .set({ seen_at: sql`now() - interval '20 seconds'` })
    .where(eq(servers.id, 'killed'))
  await insert('without', 0)
  const gateways = follow('own')
  onTestFinished(gateways.close)
  expect(ownersBy(gateways)).toEqual(new Set(['own']))
  await until(() => expect(ownersBy(gateways)).toEqual(new Set(['own', 'other'])))
  expect(lines).toEqual([])
})

test('the state of the bus is announced, and consoles can search it', async () => {
  const broken: Bus = { ...bus, state: () => ({ ...bus.state(), kind: 'nats', isConnected: false }) }
  const announced = await announce({ id: newId(), db, bus: broken, log, roles: ['worker'], traffic })
  onTestFinished(announced.close)
  expect(announced.unreachableServers).toBe(0)
  expect(await list('?search=disconnected&column=bus_state&operator=eq')).toMatchObject({
    count: 1,
    data: [{ bus: 'nats', bus_state: 'disconnected' }],
  })
  expect((await list('?search=postgres&column=bus')).count).toBe(0)
})

test.each(['admin', 'vendor'])('%s does not see the servers', async login => {
  const { access_token } = await signIn(login)
  expect((await call('GET', '/api/v3/servers', { token: access_token })).statusCode).toBe(403)
})
