/** HTTP that is not well-formed: it is refused as all that is invalid, and never a 5xx. FUZZ_RUNS and FUZZ_SEED as there. */
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { devices } from '../../../src/api/contract/devices.ts'
import { events } from '../../../src/api/contract/events.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { openConnection, sendMalformed } from '../../support/hostile/connection.ts'
import { malformedHttp } from '../../support/hostile/malformed.ts'
import { hostileRequests } from '../../support/hostile/requests.ts'
import { isFailure } from '../../support/hostile/values.ts'
import { startServer, temporaryFolder } from '../support/harness.ts'

const consoleFolder = await temporaryFolder()
await writeFile(join(consoleFolder, 'index.html'), '<!doctype html>')
const { app, signIn } = await startServer({ consoleFolder })
const numRuns = 10 * Number(process.env.FUZZ_RUNS ?? 25)
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101)

let port = 0
let token = ''
beforeAll(async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  ;({ port } = app.server.address() as AddressInfo)
  token = (await signIn('admin')).access_token
})

describe('malformed HTTP', () => {
  test.each([
    ['a head that is too long', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    ['a head that is none', 'BREW /pot HTCPCP/1.0\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx', 400],
  ])('%s gets the message of a failure, and the connection is closed', async (_, bytes, status) => {
    const connection = await openConnection(port)
    const answer = await connection.ask(Buffer.from(bytes))
    expect(answer).toMatchObject({ status, isLast: true })
    expect(isFailure(JSON.parse((answer as { body: string }).body))).toBe(true)
  })

  test('is never answered with a 5xx, and the server goes on', async () => {
    const known = { ids: ['A41C097E330B'], tokens: new Map<Role, string>([['admin', token]]) }
    const requests = fc.oneof(...[devices.list, devices.flush, events.create].map(each => hostileRequests(each, known)))
    await fc.assert(
      fc.asyncProperty(malformedHttp(requests), async bytes => {
        const answers = await sendMalformed(port, bytes)
        if (answers === 'silence') throw new Error('The connection stays open without an answer')
        for (const { status } of answers) expect(status).toBeLessThan(500)
      }),
      { numRuns, seed, endOnFailure: true },
    )
    const connection = await openConnection(port)
    const list = Buffer.from(`GET ${devices.list.path} HTTP/1.1\r\nhost: x\r\naccess-token: ${token}\r\n\r\n`)
    expect(await connection.ask(list)).toMatchObject({ status: 200 })
    connection.close()
  })
})
