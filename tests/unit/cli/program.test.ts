/** The whole command line without a server: its help, made from the contract, and its exit codes. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { keyAccess } from '../../../src/api/contract/apiKeys.ts'
import { endpoints } from '../../../src/api/contract/all/endpoints.ts'
import { jobCommands } from '../../../src/api/contract/jobs.ts'
import { actionOptions } from '../../../cli/action.ts'
import { actions, deviceCommands } from '../../../cli/catalogue.ts'
import { deviceCommandOptions } from '../../../cli/deviceCommand.ts'
import { formatDateTime } from '../../../src/domain/format.ts'
import { progressLine } from '../../../cli/jobTexts.ts'
import { runProgram, type Environment } from '../../../cli/program.ts'
import { serverJob } from '../support/serverJobs.ts'

async function run(args: readonly string[], environment: Environment = {}) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runProgram(args, environment, {
    print: line => out.push(line),
    say: line => err.push(line),
    progress: () => undefined,
    width: 80,
    isInteractive: false,
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const server = { PERMEATE_URL: 'http://127.0.0.1:1', PERMEATE_KEY: `permeate_${'A'.repeat(43)}` }
const everyAction = [...actions].flatMap(([resource, of]) =>
  [...of].map(([action, endpoint]) => [resource, action, endpoint] as const),
)

describe('what can be called', () => {
  test('is every endpoint that a key may call, and every command of jobs', () => {
    const callable = endpoints.filter(endpoint => keyAccess(endpoint) !== undefined && !endpoint.stream)
    const called = new Set([...everyAction.map(([, , endpoint]) => endpoint), ...Object.values(jobCommands)])
    expect(callable.filter(endpoint => !called.has(endpoint))).toEqual([])
    expect([...deviceCommands.values()].map(({ command }) => command)).toEqual(Object.keys(jobCommands))
  })

  test('has names that are different', () => {
    const names = [...actions.keys(), ...deviceCommands.keys()]
    expect(new Set(names).size).toBe(names.length)
  })

  test.each(everyAction)(
    '%s %s explains itself, with options that are different',
    async (resource, action, endpoint) => {
      const { code, out, err } = await run([resource, action, '--help'])
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toContain(endpoint.summary)
      const names = actionOptions(endpoint).all.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      for (const name of names) expect(out).toContain(`--${name}`)
      expect((await run([resource, '--help'])).out).toContain(endpoint.summary)
    },
  )

  test.each([...deviceCommands])('%s explains itself, with options that are different', async (name, command) => {
    const { code, out } = await run([name, '--help'])
    expect(code).toBe(0)
    const names = deviceCommandOptions(command).all.map(option => option.name)
    expect(new Set(names).size).toBe(names.length)
    for (const option of names) expect(out).toContain(`--${option}`)
    expect((await run(['--help'])).out).toContain(command.endpoint.summary)
  })
})

test.each([
  [[], 'Which command?'],
  [['--bogus'], "Unknown option '--bogus'"],
  [['flesh'], 'Unknown command: flesh'],
  [['devices'], 'Which action?'],
  [['devices', 'lst'], 'Unknown action: lst'],
  [['devices', 'flush'], 'Type permeate flush, without devices'],
  [['devices', 'list', '--limit', 'many'], 'Limit must be'],
  [['devices', 'list', 'more'], 'Unexpected: more'],
  [['devices', 'list', '--status', 'leak', '--model', 'RO'], 'one column at a time'],
  [['devices', 'list', '--status', 'leak', '--search', 'x'], 'Use either'],
  [['devices', 'detail'], 'Missing: BSSID'],
  [['devices', 'delete', '--ids', 'A'], 'Add --yes'],
  [['devices', 'delete'], 'Ids is required'],
  [['delete', '--ids', 'A'], 'Add --yes'],
  [['delete', '--all'], 'Add --yes'],
  [['delete', '--yes'], 'Choose the devices'],
  [['set-time-zone', '--all', '--offline', '24'], '--offline'],
  [['devices', 'upload'], '--file'],
  [['devices', 'upload', '--file', '/nowhere/x.csv'], '/nowhere/x.csv cannot be read'],
  [['jobs', 'watch'], 'Which job?'],
  [['flush'], 'Choose the devices'],
  [['flush', 'now'], 'Unexpected: now'],
  [['flush', '--all', '--ids', 'A'], 'by their ids, by a search, or by --all'],
  [['flush', '--ids', 'A', '--ids-file', 'x'], 'either --ids or --ids-file'],
  [['flush', '--ids-file', '/nowhere/ids'], '/nowhere/ids cannot be read'],
  [['flush', '--ids', ' '], 'Ids must have at least 1'],
  [['flush', '--status', ''], '--status is empty'],
  [['delete', '--bssid', ' ', '--yes'], '--bssid is empty'],
  [['flush', '--search', ''], '--search is empty. For all devices, use --all'],
  [['devices', 'list', '--status', ''], '--status is empty'],
  [['jobs', 'create', '--command', 'delete', '--search', '{}'], 'Add --yes'],
  [['flush', '--all', '--rate', '0'], 'Policy rate must be'],
  [['lock', '--all'], 'Locked is required'],
  [['update-firmware', '--all'], 'Version is required'],
  [['set-uv', '--all', '--mode', 'maybe'], 'Mode must be one of'],
] satisfies [string[], string][])('%j is a wrong usage', async (args, message) => {
  const { code, out, err } = await run(args, server)
  expect(err).toContain(message)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test.each([
  [{ PERMEATE_KEY: server.PERMEATE_KEY }, 2, 'PERMEATE_URL'],
  [{ ...server, PERMEATE_URL: 'localhost:8080' }, 2, 'must be like https://'],
  [{ PERMEATE_URL: server.PERMEATE_URL }, 3, 'PERMEATE_KEY'],
  [{ ...server, PERMEATE_KEY: 'secret' }, 3, 'must be an API key'],
  [server, 4, 'http://127.0.0.1:1 cannot be reached'],
])('with %j it ends with %i', async (environment, code, message) => {
  const ended = await run(['devices', 'list'], environment)
  expect(ended.err).toContain(message)
  expect(ended.code).toBe(code)
})

afterEach(() => vi.unstubAllGlobals())

/** Answers each call with the response to its method. Returns the methods of the calls. */
function respond(responses: Readonly<Record<string, () => Response>>): string[] {
  const called: string[] = []
  vi.stubGlobal('fetch', (_: string, { method }: { readonly method: string }) => {
    called.push(method)
    return Promise.resolve(responses[method]!())
  })
  return called
}

test.each([
  [[], { code: 2, called: ['GET'] }],
  [['--yes'], { code: 0, called: ['POST'] }],
])('retrying a job that deletes, with %j', async (options, { code, called: expected }) => {
  const job = serverJob({ command: 'delete' })
  const called = respond({ GET: () => Response.json({ data: job }), POST: () => Response.json({ data: job }) })
  const ended = await run(['jobs', 'retry', job._id, '--reason', 'null', ...options], server)
  expect({ code: ended.code, called }).toEqual({ code, called: expected })
})

test('the key is not sent on to the address of a redirect, which is named', async () => {
  const moved = () => new Response(null, { status: 301, headers: { location: 'https://permeate.example.com/api' } })
  const called = respond({ GET: moved })
  const { code, err } = await run(['devices', 'list'], server)
  expect({ code, err }).toEqual({
    code: 2,
    err: 'The server is at https://permeate.example.com: set PERMEATE_URL to it',
  })
  expect(called).toEqual(['GET'])
})

test('the key is not an option, because others can read the list of processes', async () => {
  expect((await run(['devices', 'list', '--key', server.PERMEATE_KEY], server)).err).toContain("Unknown option '--key'")
})

test.each([
  [{ done: 1, queued: 3 }, {}, 'lock █████░░░░░░░░░░░░░░░ 25 %  running, 3 queued, 1 done'],
  [{}, { state: 'scheduled' }, `lock  scheduled, begins ${formatDateTime(serverJob().start_at)}`],
  [{}, { state: 'running', until: '2026-11-21T10:00:00.000Z' }, 'lock  running, waits for devices that match'],
  [{}, { state: 'ended' }, 'lock  ended'],
] as const)('progress of a job with the counts %j, %j', (counts, values, line) => {
  expect(progressLine(serverJob({ counts, ...values }))).toBe(line)
})
