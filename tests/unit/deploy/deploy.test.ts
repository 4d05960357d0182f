/** That the files in `deploy/` fit each other, the server's settings and the documents. No container engine is needed. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { executable } from '../../../scripts/testPrograms.ts'
import { programs } from '../../../scripts/runtime.ts'
import { root } from '../../../scripts/programs.ts'
import { readConfig, settingNames } from '../../../server/core/config.ts'
import { freePort } from '../../support/ports.ts'
import { heapLimit } from '../../support/serverPrograms.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const compose = read('deploy/compose.yaml')
const dockerfile = read('deploy/Dockerfile')
const caddyfile = read('deploy/Caddyfile')
const service = read('deploy/permeate.service')

/** Returns all texts that the first group of a pattern matches. */
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group]) => group!)

/** Returns the lines of a block of compose.yaml, which are indented further than its title. */
function block(title: string): string {
  const [, indent, lines] = new RegExp(`^( *)${title}:(?: &\\w+)?\\n((?:\\1 +.*\\n|\\n)+)`, 'm').exec(compose) ?? []
  if (indent === undefined || lines === undefined) throw new Error(`compose.yaml has no ${title}`)
  return lines
}

const services = found(block('services'), /^ {2}([\w-]+):$/gm)
/** The variables that compose gives to a server, with `$VARIABLE` as they are written. */
const environment = Object.fromEntries(
  [...block('x-environment').matchAll(/^ {2}(\w+): '?(.*?)'?$/gm)].map(([, name, value]) => [name!, value!]),
)
/** What the Dockerfile sets. */
const image = Object.fromEntries(
  found(dockerfile, /^ENV (.*)$/gm)
    .flatMap(line => line.split(' '))
    .map(pair => pair.split('=') as [string, string]),
)
const example = read('deploy/.env.example')
const exampleNames = found(example, /^(\w+)=/gm)

/** Values that a person could have written into `.env`. */
const filled: Readonly<Record<string, string>> = {
  DOMAIN: 'permeate.example.com',
  POSTGRES_PASSWORD: '0123456789abcdef0123456789abcdef',
  MQTT_PASSWORD: 'fedcba9876543210fedcba9876543210',
  SUPERADMIN_LOGIN: 'root',
  SUPERADMIN_PASSWORD: 'a long password of nobody',
  METRICS_TOKEN: '00112233445566778899aabbccddeeff',
  SECRETS_KEY: 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  SMTP_URL: '',
}

/** Returns a server's variables as compose fills them in. */
const filledIn = () =>
  Object.fromEntries(
    Object.entries({ ...image, ...environment }).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):[?-][^}]*\}/g, (_, variable: string) => filled[variable] ?? `no ${variable}`),
    ]),
  )

describe('compose', () => {
  test('a server gets settings that it reads and accepts', () => {
    expect(Object.keys(environment).length).toBeGreaterThan(10)
    const names = Object.keys({ ...image, ...environment })
    // NODE_COMPILE_CACHE is Node's own.
    expect(names.filter(name => !settingNames.includes(name) && name !== 'NODE_COMPILE_CACHE')).toEqual([])
    const config = readConfig(filledIn())
    expect(config).toMatchObject({
      host: '0.0.0.0',
      dataDir: '/data',
      publicUrl: 'https://permeate.example.com',
      demo: false,
      logFormat: 'json',
      superadmin: { login: 'root' },
    })
    expect(config.metrics).toEqual({ port: 9464, host: '0.0.0.0', token: filled['METRICS_TOKEN'] })
    expect(config.secretsKey).toBe(filled['SECRETS_KEY'])
  })

  test('.env.example has exactly the variables that compose and Caddy use', () => {
    const used = [...found(compose, /\$\{(\w+):[?-][^}]*\}/g), ...found(caddyfile, /\{\$(\w+)\}/g)]
    expect(new Set(exampleNames)).toEqual(new Set(used))
    expect(new Set(Object.keys(filled))).toEqual(new Set(used))
    // All that has no default must have a value before anything starts.
    expect(found(compose, /\$\{(\w+):-\}/g)).toEqual(['SMTP_URL'])
  })

  test('services find each other by their names and ports', () => {
    expect(services).toEqual(['server-1', 'server-2', 'postgres', 'mosquitto', 'caddy', 'prometheus'])
    const { DATABASE_URL, MQTT_URL } = filledIn()
    for (const url of [DATABASE_URL!, MQTT_URL!]) expect(services).toContain(new URL(url).hostname)
    expect(new URL(DATABASE_URL!).username).toBe(found(compose, /POSTGRES_USER: (\w+)/g)[0])
    expect(new URL(DATABASE_URL!).pathname).toBe(`/${found(compose, /POSTGRES_DB: (\w+)/g)[0]}`)
    const waitsFor = found(block('depends_on'), /^ +([\w-]+): \{ condition/gm)
    expect(waitsFor).toEqual(['postgres', 'mosquitto'])
    expect(block('postgres')).toContain('healthcheck:')

    const servers = ['server-1', 'server-2']
    expect(found(caddyfile, /reverse_proxy (.*) \{/g)).toEqual([
      servers.map(server => `${server}:${image['PORT']}`).join(' '),
    ])
    expect(found(read('deploy/prometheus/servers.yml'), /'([\w-]+:\d+)'/g)).toEqual(
      servers.map(server => `${server}:${environment['METRICS_PORT']}`),
    )
    // Each server keeps its client id at the broker in a volume of its own.
    for (const server of servers) expect(block(server)).toContain(`['${server}:/data']`)
    // Without a subnet of IPv6, Docker would pass its connections on from one address.
    const subnets = found(compose, /subnet: '?([\da-f:./]+)/g)
    expect(subnets.map(subnet => subnet.includes(':'))).toEqual([false, true])
    expect(block('inside')).toContain('enable_ipv6: true')
    expect(readConfig(filledIn()).trustProxy).toBe(subnets.join(', '))
  })

  test('volumes are declared, and mounted files are there', () => {
    const mounts = found(compose, /(?:- |\[')((?:\.\/)?[\w./-]+):\/[\w/.-]+(?::ro)?/g)
    expect(mounts.length).toBeGreaterThan(7)
    const declared = found(compose.slice(compose.indexOf('\nvolumes:')), /([\w-]+): \{\}/g)
    expect(new Set(mounts.filter(mount => !mount.startsWith('.')))).toEqual(new Set(declared))
    for (const mount of mounts.filter(name => name.startsWith('./')))
      expect(existsSync(join(root, 'deploy', mount)), mount).toBe(true)
  })

  test('Caddy and Mosquitto limit what strangers may do, and Mosquitto has the limits that the documents say', () => {
    for (const limit of ['read_header', 'read_body', 'idle', 'max_header_size'])
      expect(caddyfile).toContain(`${limit} `)
    const limitsIn = (text: string) =>
      found(text, /^((?:max_|message_size|persistent_client)\w+ \S+)$/gm).filter(
        limit => limit !== 'max_queued_bytes 0',
      )
    const limits = limitsIn(read('deploy/mosquitto/mosquitto.conf'))
    expect(limits.toSorted()).toEqual(limitsIn(read('docs/device-protocol.md')).toSorted())
    expect(limits.filter(limit => limit.startsWith('max_connections'))).toHaveLength(2)
  })

  test('Mosquitto listens where servers and devices connect, and lets them do what the documents say', () => {
    const settings = read('deploy/mosquitto/mosquitto.conf')
    const listeners = found(settings, /^listener (\d+)/gm)
    expect(listeners).toEqual(['8883', new URL(environment['MQTT_URL']!.replace(/\$\{[^}]*\}/, 'x')).port])
    expect(block('mosquitto')).toContain(`ports: ['8883:8883']`)
    const [, documented] = /```acl\n(.*?)```/s.exec(read('docs/device-protocol.md')) ?? []
    expect(read('deploy/mosquitto/acl')).toBe(documented)
  })
})

/** Runs a program that checks what it gets as input, and returns its errors. */
const check = (program: string, args: readonly string[], input = '') =>
  spawnSync(program, args, { cwd: root, input, encoding: 'utf8', env: { ...process.env, ...filled } })

test('Caddy accepts its file', context => {
  const { error, status, stdout } = check('caddy', [
    'validate',
    '--config',
    'deploy/Caddyfile',
    '--adapter',
    'caddyfile',
  ])
  if (error) return context.skip('Caddy is not installed')
  expect(stdout).toContain('Valid configuration')
  expect(status).toBe(0)
})

test('Prometheus accepts its alerts, which fire when they should', context => {
  const { error, status, stdout, stderr } = check('promtool', ['test', 'rules', 'tests/unit/deploy/alerts.yml'])
  if (error) return context.skip('promtool is not installed')
  expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') })
})

test.skipIf(!executable('mosquitto'))('Mosquitto accepts its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'permeate-mosquitto-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of ['passwords', 'acl', 'mosquitto.conf']) writeFileSync(join(folder, file), '', { mode: 0o600 })
  const [devices, servers] = [await freePort(), await freePort()]
  const settings = read('deploy/mosquitto/mosquitto.conf')
    .replaceAll(/\/mosquitto\/(?:config|data)/g, folder)
    .replace(/^listener 8883$/m, `listener ${devices} 127.0.0.1`)
    .replace(/^listener 1884$/m, `listener ${servers} 127.0.0.1`)
    // There is no certificate.
    .replaceAll(/^(?:cert|key)file .*$/gm, '')
  // Started by root, it would otherwise switch to a user without access to the folder.
  writeFileSync(join(folder, 'mosquitto.conf'), `${settings}\nuser ${userInfo().username}\n`)
  const broker = spawn(executable('mosquitto')!, ['-c', join(folder, 'mosquitto.conf')])
  onTestFinished(() => void broker.kill())
  let printed = ''
  const running = new Promise<void>((resolve, reject) => {
    broker.stderr.on('data', (text: Buffer) => {
      printed += String(text)
      if (printed.includes(' running')) resolve()
    })
    broker.once('exit', () => reject(new Error(printed)))
  })
  await running
  expect(printed).not.toMatch(/error|unknown/i)
})

test('the firewall of docs/operating.md limits what compose publishes to everybody, as nftables writes it', context => {
  const [, rules] = /```nft\n(.*?)```/s.exec(read('docs/operating.md')) ?? []
  const published = found(compose, /'(\d+):\d+(?:\/udp)?'/g)
  const limited = found(rules!, /dport (?:\{ )?([\d, ]+?)(?: \})? add/g).flatMap(ports => ports.split(', '))
  expect(new Set(limited)).toEqual(new Set(published))
  const { status, stderr } = check('unshare', ['-rn', 'nft', '-c', '-f', '-'], rules!)
  // Where a user may have no network namespace, or nftables is missing.
  if (status !== 0 && /unshare|Operation not permitted/.test(stderr)) return context.skip()
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('git ignores the secrets that docs/operating.md puts into deploy/', () => {
  const ignored = read('.gitignore').split('\n')
  expect(ignored).toEqual(
    expect.arrayContaining(['deploy/.env', 'deploy/mosquitto/passwords', 'deploy/mosquitto/tls/']),
  )
})

describe('Dockerfile', () => {
  test('builds and runs on the Node of package.json', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    expect(found(dockerfile, /^FROM node:([\d.]+)-/gm)).toEqual([dependencies['node']])
    const bases = found(dockerfile, /^FROM \S+?:(?:[\d.]+-)?(\w+-slim)/gm)
    // One C library for the program that is built with and for the one that runs.
    expect(bases).toEqual(['trixie-slim', 'trixie-slim'])
  })

  test('starts a program that the image contains, and not as root', () => {
    const [command] = found(dockerfile, /^CMD \["node", "--\S+", "(.*)"\]$/gm)
    expect(programs).toContain(command)
    expect(found(dockerfile, /^USER (\d+):/gm).map(Number)[0]).toBeGreaterThan(0)
    expect(found(dockerfile, /^VOLUME (.*)$/gm)).toEqual([image['DATA_DIR']])
  })
})

test('the systemd unit has settings that the server reads, and starts its program', () => {
  const set = found(service, /^Environment=(.*)$/gm).flatMap(line => found(line, /(\w+)=/g))
  expect(set).toContain('DATA_DIR')
  expect(set.filter(name => !settingNames.includes(name))).toEqual([])
  const [program] = found(service, /^ExecStart=\S+ --\S+ (\S+)$/gm)
  expect(programs).toContain(program)
  expect(service).toContain(`DATA_DIR=/var/lib/${found(service, /^StateDirectory=(.*)$/gm)[0]} `)
})

test('the server is started with the same limit of its heap everywhere', () => {
  // V8 reads it when a process starts, so the server cannot set it itself.
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<'start' | 'serve', string> }
  for (const script of [scripts.start, scripts.serve]) expect(script).toContain(`node ${heapLimit} `)
  expect(dockerfile).toContain(`CMD ["node", "${heapLimit}", `)
  expect(service).toMatch(new RegExp(`^ExecStart=\\S+ ${heapLimit} `, 'm'))
})

test('README.md lists every setting', () => {
  const listed = found(read('README.md'), /^\| (`[A-Z_`, ]+) \|/gm).flatMap(cell => found(cell, /`(\w+)`/g))
  // NODE_ENV is Node's own.
  expect(settingNames.filter(name => !listed.includes(name) && name !== 'NODE_ENV')).toEqual([])
})
