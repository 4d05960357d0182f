/** The preview of a bulk operation and its approval. */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../../../src/api/errors.ts'
import { devices } from '../../../../../src/api/contract/devices.ts'
import { maxPerCall, type BulkResponse } from '../../../../../src/api/contract/endpoint.ts'
import { defineCommand } from '../../../../../src/commands/core/defineCommand.ts'
import type { BulkOperation, DryRun, Services } from '../../../../../src/commands/core/types.ts'
import type { Targets } from '../../../../../src/commands/core/context.ts'
import { messages } from '../../../../../src/domain/messages.ts'
import { bulkOperation } from '../../../../../src/commands/core/execution/operation.ts'
import { execute } from '../../../../../src/commands/core/execution/execute.ts'
import type { Host, Preview } from '../../../../../src/commands/core/execution/host.ts'
import { someDevices } from '../../../../../src/commands/core/targetNeeds.ts'
import { affectedCount, planChanges } from '../../../../../src/commands/core/execution/planChanges.ts'
import { dryRun } from '../../../../../src/commands/core/execution/dryRun.ts'
import { describeChanges, previewRows } from '../../../../../src/commands/jobs/previewRows.ts'
import { groupByReason } from '../../../../../src/commands/core/reasons.ts'
import { selections, type DeviceItem, type ListSearch } from '../../../../../src/store/selection.ts'

const device = (id: string): DeviceItem => ({ id, name: id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' })
const offline = 'Device is offline'
const plan = (affected: string[], skipped: string[] = []): DryRun => ({
  affected,
  skipped: skipped.map(id => ({ id, message: offline })),
})

const lock = defineCommand({
  entity: 'devices',
  id: 'test.lock',
  title: 'Lock',
  group: 'control',
  on: [],
  endpoint: devices.lock,
  needs: someDevices,
  operation: () => ({ send: () => Promise.reject(new Error('The host sends it')) }),
  confirm: targets => ({
    title: `Lock ${targets.length}?`,
    text: '',
    action: 'Lock',
    type: undefined,
    danger: false,
  }),
})

let search: ListSearch | undefined
let searched: boolean | undefined
let blocked: string[]
let plans: (DryRun | Error)[]
let answers: boolean[]
let shown: { title: string | undefined; plan: DryRun | undefined; changed: Preview['changed'] }[]
let sent: (readonly string[])[]
let ended: unknown[]

const targets = ['a', 'b', 'c'].map(device)
const host: Host = {
  sourceOf: () => 'Page 1',
  context: () => ({
    role: 'admin',
    path: '/devices',
    list: undefined,
    targets: (() => targets) as unknown as Targets,
    last: undefined,
  }),
  targets: () => Promise.resolve(targets),
  searchOf: () => search,
  matches: () => Promise.resolve(targets),
  ask: () => Promise.reject(new Error('No argument is missing')),
  confirm: () => Promise.reject(new Error('Bulk operations are confirmed in the preview')),
  dryRun() {
    const next = plans.shift()
    return next instanceof Error || !next
      ? Promise.reject(next ?? new Error('Unexpected dry run'))
      : Promise.resolve(next)
  },
  async preview(preview) {
    // As the dialog does: a plan that was not passed is fetched.
    const dryRunResult =
      preview.plan ?? (await preview.check({ signal: new AbortController().signal, report: () => undefined }))
    searched = preview.isSearch
    shown.push({ title: preview.question(dryRunResult)?.title, plan: dryRunResult, changed: preview.changed })
    return answers.shift() ? dryRunResult : undefined
  },
  begin: (_, { skipped }) => ({
    services: {
      carryOut(_: BulkOperation, ids: readonly string[]) {
        sent.push(ids)
        return Promise.resolve({ done: ids, failed: [], before: [] })
      },
    } as unknown as Services,
    end: how => ended.push([how, skipped]),
  }),
  waiting: () => () => undefined,
  blocked: reason => blocked.push(reason),
  didNotRun: () => undefined,
  finished: () => undefined,
  failed: () => undefined,
}

beforeEach(() => {
  selections.devices.clear()
  search = undefined
  blocked = []
  plans = []
  answers = []
  shown = []
  sent = []
  ended = []
})

describe('the plan of a job on a search', () => {
  const job = (total: number, count: number, named: readonly string[]): DryRun => ({
    affected: ['a'],
    skipped: named.map(id => ({ id, message: offline })),
    job: {
      isSearch: true,
      policy: {},
      total,
      count: total - count,
      waiting: 0,
      reasons: [{ reason: offline, count, devices: [...named] }],
      waves: [],
    },
  })

  test('has the counts of the server, also of devices that it does not name', () => {
    expect(affectedCount(job(5000, 3000, ['b']))).toBe(2000)
    expect(previewRows({}, targets, job(5000, 3000, ['b']), [])).toMatchObject([
      { heading: 'Skipped: Device is offline', count: 3000 },
      { name: 'b' },
      { name: 'and 2,999 more' },
      { heading: 'Will change', count: 2000 },
      { name: 'all others that match' },
    ])
    expect(previewRows({}, targets, job(2, 1, ['b']), []).slice(2)).toMatchObject([
      { heading: 'Will change', count: 1 },
      { name: 'a' },
    ])
  })

  test('has changed if other devices match, or if one that it names is skipped now', () => {
    const changes = (before: DryRun, now: DryRun) => describeChanges(planChanges(before, now))
    expect(changes(job(5000, 3000, ['b']), job(5000, 3001, ['c']))).toEqual([])
    expect(changes(job(5000, 3000, ['b']), job(5001, 3000, ['b']))).toEqual(['5,001 devices match now, before 5,000'])
    expect(changes(job(2, 1, ['b']), job(2, 1, ['a']))).toEqual([
      '1 is skipped now: Device is offline',
      '1 is no longer skipped',
    ])
  })
})

describe('a bulk operation', () => {
  test('is sent to the affected targets of its preview, and the others fail with their reason', async () => {
    plans = [plan(['a', 'b'], ['c']), plan(['a', 'b'], ['c'])]
    answers = [true]
    const ending = await execute(host, lock)
    expect(shown.map(({ title }) => title)).toEqual(['Lock 2?'])
    expect(sent).toEqual([['a', 'b']])
    expect(ending).toMatchObject({
      is: 'done',
      outcome: { done: ['a', 'b'], failed: [{ id: 'c', message: offline }] },
    })
    expect(ended).toMatchObject([[{ is: 'done' }, [{ id: 'c', message: offline }]]])
  })

  test('is not sent without approval', async () => {
    plans = [plan(['a', 'b', 'c'])]
    answers = [false]
    expect(await execute(host, lock)).toEqual({ is: 'stopped' })
    expect(sent).toEqual([])
  })

  test('goes to all that match a search only if the selection follows one, so that later ones can be included', async () => {
    const policy = { until: '2026-12-31T00:00:00.000Z' }
    const values = { locked: true } as const
    const lockJob = defineCommand({
      entity: 'devices',
      id: 'test.lockJob',
      title: 'Lock',
      group: 'control',
      endpoint: devices.lock,
      needs: someDevices,
      operation: () => bulkOperation(devices.lock, values),
    })
    expect(await execute(host, lockJob, { policy })).toEqual({ is: 'stopped' })
    expect(blocked).toEqual([messages.untilNeedsSearch])
    expect(shown).toEqual([])
    plans = [plan(['a', 'b', 'c'])]
    await execute(host, lockJob)
    expect(searched).toBe(false)
    search = { search: 'a', column: 'bssid', operator: 'co' }
    plans = [plan(['a', 'b', 'c'])]
    await execute(host, lockJob, { policy })
    expect(searched).toBe(true)
    // A command that is no job acts on the ids.
    plans = [plan(['a', 'b', 'c'])]
    await execute(host, lock)
    expect(searched).toBe(false)
  })

  test('is previewed again as long as its dry run keeps changing', async () => {
    plans = [plan(['a', 'b', 'c']), plan(['a', 'b'], ['c']), plan(['a', 'b', 'c']), plan(['a', 'b', 'c'])]
    answers = [true, true, true]
    await execute(host, lock)
    expect(shown.map(({ changed }) => changed)).toEqual([
      [],
      [{ id: 'c', before: undefined, now: offline }],
      [{ id: 'c', before: offline, now: undefined }],
    ])
    expect(sent).toEqual([['a', 'b', 'c']])
  })

  test('is previewed again if the second dry run failed', async () => {
    plans = [plan(['a', 'b', 'c']), new ApiError(0, 'Gone'), plan(['a', 'b', 'c']), plan(['a', 'b', 'c'])]
    answers = [true, true]
    await execute(host, lock)
    expect(shown).toHaveLength(2)
    expect(sent).toEqual([['a', 'b', 'c']])
  })

  test('is not previewed as a step of a script that was approved as a whole', async () => {
    selections.devices.replace(targets, ['selected individually'])
    const ending = await execute(host, lock, { approved: plan(['a', 'c'], ['b']) })
    expect(shown).toEqual([])
    expect(sent).toEqual([['a', 'c']])
    // Skipped targets are reported, and the selection stays for the next step.
    expect(ending).toMatchObject({ outcome: { failed: [{ id: 'b' }] } })
    expect(selections.devices.items()).toHaveLength(targets.length)
  })
})

test('law: a dry run lists each target as affected or skipped, in calls of the allowed size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3 * maxPerCall }), fc.integer({ min: 2, max: 9 }), async (count, of) => {
      const ids = Array.from({ length: count }, (_, at) => `id ${at}`)
      const refused = (id: string) => Number(id.slice(3)) % of === 0
      const calls: number[] = []
      const operation: BulkOperation = {
        send(some, { preview }) {
          expect(preview).toBe(true)
          calls.push(some.length)
          const failed = some.filter(refused).map(id => ({ id, message: 'No' }))
          return Promise.resolve<BulkResponse>({ count: some.length - failed.length, total: some.length, failed })
        },
      }
      const { affected, skipped } = await dryRun(operation, ids, {
        call: undefined as never,
        signal: new AbortController().signal,
      })
      expect([...affected, ...skipped.map(({ id }) => id)].toSorted()).toEqual(ids.toSorted())
      expect(affected.some(refused)).toBe(false)
      expect(Math.max(0, ...calls)).toBeLessThanOrEqual(maxPerCall)
    }),
    { numRuns: 30 },
  )
})

test('law: planChanges lists exactly the targets whose result differs', () => {
  const split = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })
  const planOf = (isAffected: readonly boolean[]) =>
    plan(
      isAffected.flatMap((one, at) => (one ? [`${at}`] : [])),
      isAffected.flatMap((one, at) => (one ? [] : [`${at}`])),
    )
  fc.assert(
    fc.property(split, fc.array(fc.nat(11)), (before, flips) => {
      const now = before.map((isAffected, at) => (flips.includes(at) ? !isAffected : isAffected))
      const changed = planChanges(planOf(before), planOf(now)).map(({ id }) => Number(id))
      expect(changed.toSorted((a, b) => a - b)).toEqual(
        before.flatMap((isAffected, at) => (isAffected === now[at] ? [] : [at])),
      )
    }),
  )
})

describe('the rows of a preview', () => {
  test('are the skipped targets by reason, most frequent first, and then the affected ones', () => {
    const dryRunResult: DryRun = {
      affected: ['a'],
      skipped: [
        { id: 'b', message: 'No such capability' },
        { id: 'c', message: offline },
        { id: 'd', message: offline },
      ],
    }
    const rows = previewRows({}, ['a', 'b', 'c', 'd'].map(device), dryRunResult, [
      { id: 'c', before: undefined, now: offline },
    ])
    const textOf = (row: (typeof rows)[number]) =>
      'heading' in row ? `${row.heading}: ${row.count}` : 'id' in row && row.id
    expect(rows.map(textOf)).toEqual([
      'Skipped: Device is offline: 2',
      'c',
      'd',
      'Skipped: No such capability: 1',
      'b',
      'Will change: 1',
      'a',
    ])
    expect(rows[1]).toMatchObject({ detail: 'C · Ready', changed: 'was not skipped before' })
  })

  test('are all selected targets until the dry run is complete', () => {
    expect(previewRows({}, [device('a')], undefined, [])).toMatchObject([
      { heading: 'Selected', count: 1 },
      { id: 'a' },
    ])
  })

  test('have a summary of what has changed', () => {
    const skipped = ['a', 'b'].map(id => ({ id, before: undefined, now: offline }))
    expect(describeChanges([...skipped, { id: 'c', before: offline, now: undefined }])).toEqual([
      '2 are skipped now: Device is offline',
      '1 is no longer skipped',
    ])
  })

  test('law: list every failure once, under its reason', () => {
    const failures = fc.array(fc.record({ id: fc.uuid(), message: fc.constantFrom('A', 'B', 'C') }))
    fc.assert(
      fc.property(failures, failed => {
        const groups = groupByReason(failed)
        expect(groups.flatMap(({ reason, ids }) => ids.map(id => `${reason} ${id}`)).toSorted()).toEqual(
          failed.map(({ id, message }) => `${message} ${id}`).toSorted(),
        )
        const sizes = groups.map(({ ids }) => ids.length)
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
      }),
    )
  })
})
