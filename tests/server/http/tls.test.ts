/** HTTPS and MQTT over TLS by the server itself. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openCertificate } from '../../../server/core/certificate.ts'
import { ConfigError } from '../../../server/core/config.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { freePort } from '../../support/ports.ts'
import { until } from '../../support/until.ts'
import { startGateways } from '../support/devices/gatewayHarness.ts'
import { startServer, temporaryFolder } from '../support/harness.ts'
import { startProcess } from '../support/processes/serverProcess.ts'

const certificates = join(import.meta.dirname, '..', '..', 'support', 'certificates')
const folder = await temporaryFolder()
const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
const put = (kind: 'cert' | 'key', name: 'first' | 'second') =>
  copyFile(join(certificates, `${name}.${kind}.pem`), paths[kind])
await put('cert', 'first')
await put('key', 'first')
const log: string[] = []
const sink = { info: (text: string) => log.push(text), error: (text: string) => log.push(text) }
const certificate = openCertificate(paths, sink, 20)
afterAll(certificate.close)
const [first, second] = [await pem('first'), await pem('second')]

function pem(name: 'first' | 'second') {
  return readFile(join(certificates, `${name}.cert.pem`), 'utf8')
}

const { app } = await startServer({ certificate, environment: { TLS_CERT: paths.cert, TLS_KEY: paths.key } })
const port = await freePort()
await app.listen({ port, host: '127.0.0.1' })

const tests = await startGateways('embedded')
const [one] = tests.bssids as [string]
const mqttsPort = await freePort()
const openGateway = () => tests.open({ certificate, mqttsPort })
const device = (ca: string) => tests.device(one, { url: `mqtts://127.0.0.1:${mqttsPort}`, ca })

/** The name on the certificate that a port presents. */
async function nameAt(ofPort: number): Promise<string> {
  const socket = connect({ port: ofPort, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return String(subject.CN)
}

test('console and API are at https, and browsers are told to stay there', async () => {
  const asked = request({ port, host: '127.0.0.1', path: '/health', ca: first }).end()
  const [{ statusCode, headers }] = await once(asked, 'response')
  expect(statusCode).toBe(200)
  expect(headers['strict-transport-security']).toContain('max-age=')
  for (const { server } of [app, tests.server.app]) expect(server.headersTimeout).toBe(10_000)
  const plain = connectPlain(port, '127.0.0.1').on('error', () => undefined)
  plain.write('GET / HTTP/1.1\r\n\r\n')
  await once(plain, 'close')
})

test('devices connect over TLS to a server whose certificate they trust', async () => {
  const { mqttsPort: listening, link } = await openGateway()
  expect(listening).toBe(mqttsPort)
  await device(first)
  expect(await link.send(one, { type: 'flush' })).toEqual({ ok: true })
  await expect(device(second)).rejects.toThrow(/self-signed/)
  await expect(
    tests.device(one, { url: `mqtts://127.0.0.1:${mqttsPort}`, ca: first, secret: 'wrong' }),
  ).rejects.toThrow('Bad username or password')
  const plain = connectPlain(mqttsPort, '127.0.0.1').on('error', () => undefined)
  plain.write('no handshake')
  await once(plain.resume(), 'close')
})

test('a new certificate is used once both files are there, without a restart', async () => {
  await openGateway()
  const connected = await device(first)
  await put('cert', 'second')
  await until(() => expect(log).toEqual([expect.stringContaining('the server keeps the old one')]))
  expect([await nameAt(port), await nameAt(mqttsPort)]).toEqual(['permeate test first', 'permeate test first'])
  await put('key', 'second')
  await until(() => expect(log.at(-1)).toBe('The TLS certificate has been replaced'))
  expect([await nameAt(port), await nameAt(mqttsPort)]).toEqual(['permeate test second', 'permeate test second'])
  // Open connections go on.
  await connected.publish('state', { at: new Date().toISOString(), status: 0 })
  await connected.leave()
  await device(second)
})

test('files that are missing or do not belong together are refused at the start', async () => {
  const missing = { ...paths, key: join(folder, 'none.pem') }
  expect(() => openCertificate(missing, sink)).toThrow(ConfigError)
  const others = { cert: join(certificates, 'first.cert.pem'), key: join(certificates, 'second.key.pem') }
  expect(() => openCertificate(others, sink)).toThrow('The files of TLS_CERT and TLS_KEY cannot be used')
})

test('the server prints its addresses, and the simulator trusts a certificate that it is given', async () => {
  const { databaseUrl, dataDir } = tests.server
  const [webPort, devicePort] = [await freePort(), await freePort()]
  const cert = join(certificates, 'first.cert.pem')
  const server = await startProcess({
    PORT: String(webPort),
    MQTTS_PORT: String(devicePort),
    LOG_LEVEL: 'info',
    TLS_CERT: cert,
    TLS_KEY: join(certificates, 'first.key.pem'),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    DEMO: 'on',
    FLEET: '2',
    HISTORY: '0',
  })
  expect(server.printed()).toContain(`Permeate is running at https://127.0.0.1:${webPort}`)
  await until(() => expect(server.printed()).toContain(`Devices connect to 127.0.0.1:${devicePort} over TLS\n`))
  const options = ['--url', `mqtts://127.0.0.1:${devicePort}`, '--ca', cert, '--fleet', fleetPath(dataDir)]
  const simulator = spawn(process.execPath, ['simulator/main.ts', ...options, '--draws', 'off'])
  onTestFinished(() => void simulator.kill())
  let printed = ''
  for (const stream of [simulator.stdout, simulator.stderr]) stream.on('data', text => (printed += String(text)))
  await until(() => expect(printed).toContain('2 of 2 simulated devices are connected'))
  expect(await server.stop()).toBe(0)
})
