/** What the log contains, and what it never contains. */
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../../../scripts/programs.ts'
import { openLog } from '../../../../server/core/logger.ts'

function recorded(logFormat: 'json' | 'text') {
  const lines: string[] = []
  const log = openLog({ logLevel: 'info', logFormat, demo: false }, { write: line => void lines.push(line) })
  return { log, lines, first: () => JSON.parse(lines[0]!) as Record<string, unknown> }
}

const password = 'correct-horse-battery'
const failedQuery = () =>
  new DrizzleQueryError(
    'insert into accounts values ($1, $2)',
    ['somebody', `${password}\nsecond line`],
    Object.assign(new Error('duplicate key'), { code: '23505', detail: `Key (login)=(${password}) exists` }),
  )

test('a line of JSON has time, level, text and the error with its causes', () => {
  const { log, first } = recorded('json')
  log.error('Could not store', failedQuery())
  expect(first()).toMatchObject({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    level: 'error',
    msg: 'Could not store',
    err: {
      message: 'Failed query: insert into accounts values ($1, $2)',
      cause: { message: 'duplicate key', code: '23505' },
    },
  })
})

test.each(['json', 'text'] as const)('no secret is in the log as %s', format => {
  const { log, lines } = recorded(format)
  log.error('Could not store', failedQuery())
  log.error('Could not store', new AggregateError([failedQuery()], 'several'))
  log.info(`Connecting to postgres://permeate:${password}@db.example.com/permeate`)
  log.error('Lost', new Error(`connect mqtts://server:${password}@mq.example.com:8883`))
  log.error('Lost', new Error(`connect nats://${password}@nats.example.com`))
  log.logger.info({ body: { password, login: 'x' }, headers: { 'access-token': password } }, 'Received')
  log.logger.info({ reply: `{"refresh_token":"${password}"}` }, 'Answered')
  expect(lines).toHaveLength(7)
  expect(lines.join('')).not.toContain(password)
  expect(lines.join('')).toContain('postgres://permeate:***@db.example.com')
  expect(lines.join('')).toContain('nats://***@nats.example.com')
})

test('text for people is the message alone, with errors below it', () => {
  const { log, lines } = recorded('text')
  log.info('Permeate is running at http://127.0.0.1:8080')
  log.error('The event bus lost its connection', new Error('ended', { cause: new Error('reset') }))
  expect(lines[0]).toBe('Permeate is running at http://127.0.0.1:8080\n')
  expect(lines[1]).toMatch(/^error: The event bus lost its connection: Error: ended\n {4}at /)
  expect(lines[1]).toContain('\ncaused by Error: reset\n')
})

test.skipIf(!existsSync('/dev/full')).each(['json', 'text'])(
  'a log as %s on a full disk does not end the server',
  format => {
    const disk = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(disk))
    const program = `
    const { openLog } = await import('./server/core/logger.ts')
    const log = openLog({ logLevel: 'info', logFormat: '${format}', demo: false })
    for (let line = 0; line < 2000; line++) log.info('x'.repeat(1000))
    console.error('goes on')`
    const server = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      stdio: ['ignore', disk, 'pipe'],
      encoding: 'utf8',
    })
    expect({ status: server.status, errors: server.stderr }).toEqual({ status: 0, errors: 'goes on\n' })
  },
)
