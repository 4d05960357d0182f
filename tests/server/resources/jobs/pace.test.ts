/** A job keeps its rate and its window, also for late tasks: those of offline devices, and those due while no server ran. */
import { afterEach, describe, expect, test } from 'vitest'
import { msPerDay, msPerHour, msPerMinute } from '../../../../src/domain/time.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { until } from '../../../support/until.ts'
import { counted, startJobs } from './support.ts'

const { db, bssids, setStatus, advance, ...jobs } = await startJobs()
const { create, job, reaches, task, tasks } = jobs

afterEach(() => setStatus(0, ...bssids))

describe('a rate', () => {
  test('also holds for devices that come back together', async () => {
    const some = bssids.slice(0, 4)
    await setStatus(3, ...some)
    const id = await create({ command: 'flush', ids: some, policy: { rate: 2, offline: 24 } })
    for (const waiting of [1, 2, 3, 4]) {
      await until(async () => expect((await job(id)).counts.waiting).toBe(waiting))
      advance(30_000)
    }
    await setStatus(0, ...some)
    await until(async () => expect(counted(await job(id))).toEqual({ done: 1, queued: 3 }))
    for (const done of [2, 3, 4]) {
      advance(30_000)
      await until(async () => expect((await job(id)).counts.done).toBe(done))
    }
  })

  test('holds after the server was away', async () => {
    const id = await create({ command: 'flush', ids: bssids.slice(0, 4), policy: { rate: 2 } })
    await until(async () => expect(counted(await job(id))).toEqual({ done: 1, queued: 3 }))
    advance(msPerHour)
    await until(async () => expect((await job(id)).counts.done).toBe(2))
    const due = (await tasks(id)).flatMap(({ due_at }) => due_at?.getTime() ?? [])
    expect(Math.abs(due[1]! - due[0]!)).toBe(30_000)
    advance(msPerHour)
    await until(async () => expect((await job(id)).counts.done).toBe(3))
    advance(msPerHour)
    await reaches(id, 'ended')
  })
})

describe('a window', () => {
  const days = [1, 2, 3, 4, 5, 6, 7]
  const at = (hours: number) =>
    `${new Date(jobs.clock.now().getTime() + hours * msPerHour).toISOString().slice(11, 14)}00`
  /** Sets the clock to the next full hour, and returns it with a window of that hour, in UTC. */
  const oneHour = async () => {
    await db.update(devices).set({ time_zone: 'UTC' })
    const now = jobs.clock.now().getTime()
    const opened = Math.ceil(now / msPerHour) * msPerHour
    advance(opened - now)
    return { opened, window: { days, from: at(0), to: at(1) } }
  }

  test('lets a device that comes back after it begin at the next opening', async () => {
    const [device] = bssids
    const { opened, window } = await oneHour()
    await setStatus(3, device!)
    const id = await create({ command: 'flush', ids: [device!], policy: { window, offline: 168 } })
    await until(async () => expect(counted(await job(id))).toEqual({ waiting: 1 }))
    advance(12 * msPerHour)
    await setStatus(0, device!)
    await until(async () => expect(await task(id, device!)).toMatchObject({ state: 'queued' }))
    await until(async () => expect((await task(id, device!)).due_at?.getTime()).toBe(opened + msPerDay))
    advance(opened + msPerDay - jobs.clock.now().getTime())
    await reaches(id, 'ended')
  })

  test('goes on the next day with what a rate leaves', async () => {
    const { opened, window } = await oneHour()
    const id = await create({ command: 'flush', ids: bssids.slice(0, 5), policy: { window, rate: 1 } })
    const left = async () => (await tasks(id)).flatMap(({ due_at }) => due_at?.getTime() ?? [])
    await until(async () => expect((await job(id)).counts.done).toBe(1))
    for (const done of [2, 3]) {
      advance(msPerMinute)
      await until(async () => expect((await job(id)).counts.done).toBe(done))
    }
    advance(msPerHour)
    // The last has its turn a minute after the one before, also outside the window.
    await until(async () => {
      advance(msPerMinute)
      expect(await left()).toEqual([opened + msPerDay, opened + msPerDay])
    })
    advance(opened + msPerDay - jobs.clock.now().getTime())
    await until(async () => expect((await job(id)).counts.done).toBe(4))
    advance(msPerMinute)
    expect(counted(await reaches(id, 'ended'))).toEqual({ done: 5 })
  })
})
