/** `acknowledgeWhenDone` patches internals of the mqtt client, whose version is pinned for that reason. */
import type { IPublishPacket } from 'mqtt'
import { expect, test } from 'vitest'
import { acknowledgeWhenDone } from '../../../../../server/devices/gateway/acknowledgeWhenDone.ts'
import { until } from '../../../../support/until.ts'
import { acknowledged, memoryClient, message } from './memoryBroker.ts'

/** Opens a client that handles messages with `work`. */
function client(work: (message: IPublishPacket) => Promise<unknown>) {
  const { mqtt, connections } = memoryClient()
  return { connections, pending: acknowledgeWhenDone(mqtt, work) }
}

/** Work that a test completes or fails for each message. */
function controlledWork() {
  const started = new Map<string, { complete: () => void; fail: () => void }>()
  const work = ({ payload }: IPublishPacket) =>
    new Promise<void>((resolve, reject) => {
      started.set(String(payload), { complete: resolve, fail: () => reject(new Error('fail')) })
    })
  return { started, work }
}

test('messages are handled concurrently, and each is acknowledged when its own work ends', async () => {
  const { started, work } = controlledWork()
  const { connections, pending } = client(work)
  await until(() => expect(connections[0]?.received).toHaveLength(1))
  const [broker] = connections
  for (let id = 1; id <= 500; id++) broker!.send(message(id))
  await until(() => expect(started.size).toBe(500))
  expect(acknowledged(broker!)).toEqual([])
  expect(pending.size).toBe(500)

  started.get('300')!.complete()
  await until(() => expect(acknowledged(broker!)).toEqual([300]))
  started.get('2')!.complete()
  await until(() => expect(acknowledged(broker!)).toEqual([300, 2]))
  for (const { complete } of started.values()) complete()
  await until(() => expect(acknowledged(broker!)).toHaveLength(500))
  expect(pending.size).toBe(0)
})

test('a message whose work failed is not acknowledged, nor is one with QoS 0', async () => {
  const { started, work } = controlledWork()
  const { connections } = client(work)
  await until(() => expect(connections[0]?.received).toHaveLength(1))
  const [broker] = connections
  broker!.send(message(1))
  broker!.send(message(2, 0))
  broker!.send(message(3))
  await until(() => expect(started.size).toBe(3))
  started.get('1')!.fail()
  for (const id of ['2', '3']) started.get(id)!.complete()
  await until(() => expect(acknowledged(broker!)).toEqual([3]))
})

test('a message from a lost connection is not acknowledged on the next one, where its id belongs to another message', async () => {
  const { started, work } = controlledWork()
  const { connections } = client(work)
  await until(() => expect(connections[0]?.received).toHaveLength(1))
  connections[0]!.send(message(7))
  await until(() => expect(started.has('7')).toBe(true))
  const before = started.get('7')!
  connections[0]!.cut()
  await until(() => expect(connections[1]?.received).toHaveLength(1))
  const [, broker] = connections
  broker!.send(message(7))
  await until(() => expect(started.get('7')).not.toBe(before))
  before.complete()
  broker!.send(message(8))
  await until(() => expect(started.has('8')).toBe(true))
  started.get('8')!.complete()
  await until(() => expect(acknowledged(broker!)).toEqual([8]))
  started.get('7')!.complete()
  await until(() => expect(acknowledged(broker!)).toEqual([8, 7]))
})
