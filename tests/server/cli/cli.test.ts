/** The command line as a process of its own, against a server that carries out jobs. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiKeys } from '../../../src/api/contract/apiKeys.ts'
import type { Device } from '../../../src/api/contract/devices.ts'
import type { Job, JobPreview, Task } from '../../../src/api/contract/jobs.ts'
import { runProgram } from '../../../cli/program.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { loginFailures } from '../../../server/db/schema/sessions.ts'
import { freePort } from '../../support/ports.ts'
import { startJobs } from '../resources/jobs/support.ts'
import { temporaryFolder } from '../support/harness.ts'
import { dataOf, password } from '../support/accounts/signIns.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const folder = await temporaryFolder()
const { app, db, call, signIn, link, bssids, setStatus, job, reaches, vendor } = await startJobs()

let url = ''
const keys = { read: '', write: '' }
beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const token = (await signIn('vendor')).access_token
  for (const scope of ['read', 'write'] as const) {
    const body = { name: scope, scope, days: 7, ...password }
    keys[scope] = dataOf<{ key: string }>(await call('POST', apiKeys.create.path, { token, body })).key
  }
})
beforeEach(() => db.delete(loginFailures).then(() => undefined))
afterEach(async () => {
  link.sent.length = 0
  link.refusals.clear()
  await setStatus(0, ...bssids)
})

interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}
const runWith = (environment: Readonly<Record<string, string>>, args: readonly string[]) =>
  new Promise<Outcome>(resolve => {
    const env = { PATH: process.env.PATH, TZ: 'UTC', ...environment }
    execFile(process.execPath, ['cli/main.ts', ...args], { cwd: root, env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })
const run = (...args: readonly string[]) => runWith({ PERMEATE_URL: url, PERMEATE_KEY: keys.write }, args)
const linesOf = <Row>({ out }: Outcome): Row[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Row)
/** What a call of the program returns, which must be a success. */
const lines = async <Row>(...args: readonly string[]): Promise<Row[]> => {
  const outcome = await run(...args)
  expect(outcome).toMatchObject({ code: 0, err: '' })
  return linesOf(outcome)
}
const countJobs = async () => (await lines('jobs', 'list', '--all', '--json')).length

describe('a list', () => {
  test('is found by the name of a value, as JSON Lines or as a table', async () => {
    const [one, two] = bssids
    await setStatus(3, one!, two!)
    const offline = await lines<Device>('devices', 'list', '--status', 'offline', '--all', '--json')
    expect(offline.map(({ bssid }) => bssid)).toEqual(expect.arrayContaining([one, two]))
    expect(offline.map(({ status }) => status)).toEqual(offline.map(() => 3))
    const { code, out } = await run('devices', 'list', '--status', 'offline', '--sort', 'bssid', '--limit', '1')
    expect(code).toBe(0)
    const [headings, row, ...rest] = out.split('\n')
    expect(headings).toMatch(/^Device +Status +Health +Due +Model +Company /)
    expect(row).toMatch(new RegExp(`^${offline.map(({ bssid }) => bssid).toSorted()[0]} +Offline `))
    expect(rest).toEqual([''])
  })

  test('has all its rows with --all, in pages', async () => {
    const own = await db.$count(devices, eq(devices.vendor_id, vendor))
    const all = await lines<Device>('devices', 'list', '--all', '--json')
    expect(new Set(all.map(({ bssid }) => bssid)).size).toBe(own)
    expect(await lines('devices', 'list', '--json', '--limit', '7')).toHaveLength(7)
  })

  test('has all tasks of a job with --all', async () => {
    const ids = bssids.slice(0, 3)
    const id = (await run('lock', '--locked', '--ids', ids.join(','))).out.trim()
    const tasks = await lines<Task>('jobs', 'tasks', id, '--all', '--json')
    expect(tasks.map(({ bssid }) => bssid)).toEqual(ids)
  })

  test('prints no control characters that somebody has stored', async () => {
    const [bssid] = bssids
    const description = 'Kitchen\u001b[2J\u009b31m\u0007\u202ered'
    await db.update(devices).set({ description }).where(eq(devices.bssid, bssid!))
    const table = await run('devices', 'list', '--bssid', bssid!)
    expect(table.out).toContain('Kitchen')
    const json = await run('devices', 'list', '--bssid', bssid!, '--json')
    for (const { out } of [table, json]) expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(linesOf<Device>(json)[0]!.description).toBe(description)
  })
})

test('one device is shown line by line, and changed', async () => {
  const [bssid] = bssids
  const changed = await run('devices', 'edit', bssid!, '--description', 'By the lift')
  expect(changed.code).toBe(0)
  const { out } = await run('devices', 'detail', bssid!)
  expect(out).toMatch(/^description +By the lift$/m)
})

describe('a command for devices', () => {
  test('is previewed, also with a key that only reads, which creates nothing', async () => {
    const [one, two, three] = bssids
    await setStatus(3, three!)
    const before = await countJobs()
    const args = ['flush', '--ids', `${one},${two},${three}`, '--waves', '1', '--preview']
    const reading = { PERMEATE_URL: url, PERMEATE_KEY: keys.read }
    const shown = await runWith(reading, args)
    expect(shown).toMatchObject({ code: 0, err: '' })
    expect(shown.out).toMatch(
      /^2 devices of 3 would get the command\n1 skipped: Device is offline\nWave 1: 1 device, from .*\nWave 2: 1 device, from .*\n$/,
    )
    const [preview] = linesOf<JobPreview>(await runWith(reading, [...args, '--json']))
    expect(preview).toMatchObject({ total: 3, count: 2, waves: [{ size: 1 }, { size: 1 }] })
    expect(await countJobs()).toBe(before)
    expect(link.sent).toEqual([])
  })

  test('becomes a job, whose id is printed, and which is watched until all devices did it', async () => {
    const ids = bssids.slice(0, 3)
    const file = join(folder, 'ids')
    await writeFile(file, `${ids.join('\n')}\n`)
    const { code, out, err } = await run('lock', '--locked', '--ids-file', file, '--rate', '100')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const id = out.trim()
    expect(await run('jobs', 'watch', id)).toEqual({ code: 0, out: 'lock: 3 done, of 3\n', err: '' })
    expect(await job(id)).toMatchObject({ command: 'lock', input: { locked: true }, policy: { rate: 100 }, total: 3 })
    const seen = await lines<Job>('jobs', 'watch', id, '--json')
    expect(seen.at(-1)).toMatchObject({ _id: id, state: 'ended', done: 3 })
    expect((await run('jobs', 'list', '--command', 'lock')).out).toMatch(new RegExp(`^${id} `, 'm'))
    const [found] = await lines<Job>('jobs', 'detail', id, '--json')
    expect(found).toMatchObject({ _id: id, login: 'vendor' })
    expect(link.sent.map(({ bssid }) => bssid).toSorted()).toEqual(ids.toSorted())
  })

  test('takes the devices that a column finds', async () => {
    const [one] = bssids
    const [created] = await lines<{ _id: string }>('reboot', '--bssid', one!, '--json')
    const ended = await reaches(created!._id, 'ended')
    expect(ended).toMatchObject({ total: 1, done: 1 })
    expect(link.sent.map(({ bssid }) => bssid)).toEqual([one])
  })

  test('that some devices did not do ends the watching with 1, and says why', async () => {
    const [one, two, three] = bssids
    link.refusals.set(one!, 'Valve is \u001b[31mstuck')
    link.refusals.set(two!, 'Valve is \u001b[31mstuck')
    const { out } = await run('flush', '--ids', `${one},${two},${three}`)
    const watched = await run('jobs', 'watch', out.trim())
    expect(watched).toEqual({ code: 1, out: 'flush: 1 done, 2 refused, of 3\n  2 Valve is stuck\n', err: '' })
    expect((await run('jobs', 'watch', out.trim(), '--json')).code).toBe(1)
  })

  test('that its stop rule has paused is not waited for', async () => {
    for (const bssid of bssids) link.refusals.set(bssid, 'In service mode')
    const { out } = await run('flush', '--ids', bssids.join(','), '--waves', '2', '--stop', '10%:1')
    const watched = await run('jobs', 'watch', out.trim())
    expect(watched.code).toBe(1)
    expect(watched.out).toMatch(/\(paused: .+\)/)
    expect((await run('jobs', 'cancel', out.trim())).code).toBe(0)
    await reaches(out.trim(), 'ended')
  })
})

describe('on a terminal', () => {
  /** Runs the program in this process, on a terminal that records what it shows. */
  async function runOnTerminal(...args: readonly string[]) {
    const [out, err, progress]: [string[], string[], string[]] = [[], [], []]
    const code = await runProgram(
      args,
      { PERMEATE_URL: url, PERMEATE_KEY: keys.write },
      {
        print: line => out.push(line),
        say: line => err.push(line),
        progress: line => progress.push(line),
        width: 60,
        isInteractive: true,
      },
    )
    return { code, out, err, progress }
  }

  test('the progress of a job is shown until its end', async () => {
    const { code, out, progress } = await runOnTerminal('flush', '--ids', bssids.slice(0, 2).join(','))
    expect({ code, end: out[1] }).toEqual({ code: 0, end: 'flush: 2 done, of 2' })
    expect(await job(out[0]!)).toMatchObject({ state: 'ended', done: 2 })
    expect(progress.at(-1)).toMatch(/^flush █{20} 100 % {2}ended, 2 done$/)
  })

  test('nothing is waited for with --detach', async () => {
    const { code, out, progress } = await runOnTerminal('flush', '--ids', bssids[0]!, '--detach')
    expect({ code, lines: out.length, progress }).toEqual({ code: 0, lines: 1, progress: [] })
    await reaches(out[0]!, 'ended')
  })

  test('a table is as wide as the terminal, and says how many rows there are', async () => {
    const { out, err } = await runOnTerminal('devices', 'list', '--limit', '5')
    expect(out).toHaveLength(6)
    for (const line of out.slice(1)) expect(line).toMatch(/^([0-9A-F]{2}:){5}[0-9A-F]{2} /)
    for (const line of out) expect(line.length).toBeLessThanOrEqual(60)
    expect(err.join()).toMatch(/^1–5 of \d+: --all shows all of them$/)
  })

  test('Ctrl+C ends the watching, not the job', async () => {
    const start = new Date(Date.now() + 3_600_000).toISOString()
    const [created] = await lines<{ _id: string }>('flush', '--ids', bssids[0]!, '--start', start, '--json')
    const env = { PATH: process.env.PATH, PERMEATE_URL: url, PERMEATE_KEY: keys.write }
    const watching = spawn(process.execPath, ['cli/main.ts', 'jobs', 'watch', created!._id, '--json'], {
      cwd: root,
      env,
    })
    let said = ''
    watching.stderr.on('data', (text: Buffer) => (said += String(text)))
    // It has begun to watch.
    await once(watching.stdout, 'data')
    watching.kill('SIGINT')
    expect(await once(watching, 'close')).toEqual([130, null])
    expect(said).toBe(`The job continues. To watch it again: permeate jobs watch ${created!._id}\n`)
    expect(await job(created!._id)).toMatchObject({ state: 'scheduled' })
    expect((await run('jobs', 'cancel', created!._id)).code).toBe(0)
  })
})

describe('a bulk call', () => {
  test('deletes only with --yes, and is previewed without', async () => {
    const [bssid] = bssids
    const ids = ['--ids', `${bssid},00:00:00:00:00:00`]
    expect((await run('devices', 'delete', ...ids)).code).toBe(2)
    const previewed = await run('devices', 'delete', ...ids, '--preview')
    expect(previewed).toEqual({ code: 1, out: '1 of 2 done\n  00:00:00:00:00:00: Device not found\n', err: '' })
    expect(await db.$count(devices, eq(devices.bssid, bssid!))).toBe(1)
  })
})

const closedPort = await freePort()

describe('the exit code', () => {
  const unknownKey = `permeate_${'A'.repeat(43)}`
  test.each<[what: string, given: { key?: string; url?: string }, args: string[], message: string]>([
    ['3 for a key that is not valid', { key: unknownKey }, ['devices', 'list'], 'This API key is not valid'],
    ['3 for a key that only reads', { key: 'read' }, ['flush', '--all'], 'This API key can only read'],
    ['3 for a call of another role', {}, ['audit', 'list'], 'You may not do this'],
    ['2 for a value that the server refuses', {}, ['devices', 'list', '--sort', 'taste'], 'Sort must be one of'],
    ['2 for a value of a column', {}, ['devices', 'list', '--status', 'tasty'], 'Status must be one of'],
    ['1 for a job that does not exist', {}, ['jobs', 'watch', 'absent'], 'Job not found'],
    ['4 without a server', { url: `http://127.0.0.1:${closedPort}` }, ['jobs', 'list'], 'cannot be reached'],
  ])('is %s', async (what, given, args, message) => {
    const key = given.key === 'read' ? keys.read : (given.key ?? keys.write)
    const outcome = await runWith({ PERMEATE_URL: given.url ?? url, PERMEATE_KEY: key }, args)
    expect(outcome.err).toContain(message)
    expect(outcome).toMatchObject({ code: Number(what[0]), out: '' })
  })
})
