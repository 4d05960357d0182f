/** That deploy/compose.large.yaml, on top of compose.yaml, is an installation whose parts fit. No container engine is needed. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { executable } from '../../../scripts/testPrograms.ts'
import { root } from '../../../scripts/programs.ts'
import { readConfig, settingNames } from '../../../server/core/config.ts'
import { serverRoles } from '../../../src/domain/columns/servers.ts'

interface Service {
  readonly image: string
  readonly extends?: { readonly file: string; readonly service: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly cpus?: number
  readonly mem_limit?: string
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly networks?: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, object>>
}

const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')
const load = <Shape = Compose>(path: string) => parse(read(path), { merge: true }) as Shape
const base = load('compose.yaml')
const large = load('compose.large.yaml')

/** Merges as Compose does, as far as these files need it: variables by name, volumes by where they are mounted. */
function merge(below: Partial<Service>, above: Partial<Service>): Service {
  const target = (volume: string) => volume.split(':')[1]
  const volumes = above.volumes ?? []
  const kept = (below.volumes ?? []).filter(one => !volumes.some(other => target(other) === target(one)))
  const { extends: _, ...own } = above
  return {
    ...below,
    ...own,
    environment: { ...below.environment, ...above.environment },
    depends_on: { ...below.depends_on, ...above.depends_on },
    volumes: [...kept, ...volumes],
    ports: [...(below.ports ?? []), ...(above.ports ?? [])],
  } as Service
}

const services = Object.fromEntries(
  [...new Set([...Object.keys(base.services), ...Object.keys(large.services)])].map(name => {
    const above = large.services[name] ?? ({} as Service)
    return [name, merge(base.services[above.extends?.service ?? name] ?? {}, above)]
  }),
)
const servers = Object.entries(services).filter(([, { image }]) => image === 'permeate')
const filled = (text: string) =>
  text.replace(/\$\{(\w+)(?::[?-][^}]*)?\}/g, (_, name: string) =>
    name === 'DOMAIN' ? 'permeate.example.com' : `${name}-0123456789abcdef0123456789abcdef`,
  )
const configOf = ({ environment }: Service) =>
  readConfig(
    Object.fromEntries(
      Object.entries(environment ?? {})
        .filter(([name]) => name !== 'SMTP_URL')
        .map(([name, text]) => [name, filled(text)]),
    ),
  )

describe('the large form', () => {
  test('has two servers of each role, with settings that the server reads and that are the same otherwise', () => {
    const roles = servers.map(([, service]) => configOf(service).roles)
    for (const role of serverRoles) expect(roles.filter(one => one.length === 1 && one[0] === role)).toHaveLength(2)
    expect(servers).toHaveLength(6)
    for (const [, { environment }] of servers) {
      expect(Object.keys(environment!).filter(name => !settingNames.includes(name))).toEqual([])
      expect({ ...environment, ROLES: '' }).toEqual({ ...servers[0]![1].environment, ROLES: '' })
    }
  })

  test('services find each other, and wait for what they cannot start without', () => {
    const [, web] = servers[0]!
    const { databaseUrl, mqttUrl, natsUrl, telemetryUrl } = configOf(web)
    const hosts = [databaseUrl, mqttUrl, natsUrl, telemetryUrl].map(url => new URL(url!).hostname)
    for (const [name, { depends_on, networks }] of servers) {
      expect(new Set(Object.keys(depends_on!)), name).toEqual(new Set(hosts))
      expect(networks).toEqual(['inside'])
    }
    for (const host of hosts) expect(services[host]!.networks).toEqual(['inside'])
    for (const [host, { condition }] of Object.entries(web.depends_on!))
      if (condition === 'service_healthy') expect(services[host]!.healthcheck, host).toBeDefined()
    const { CLICKHOUSE_USER, CLICKHOUSE_DB } = services['clickhouse']!.environment!
    expect(new URL(telemetryUrl!)).toMatchObject({ username: CLICKHOUSE_USER, pathname: `/${CLICKHOUSE_DB}` })
    expect(read('nats/nats.conf')).toContain(`user: ${new URL(natsUrl!).username},`)
    expect(read('nats/nats.conf')).toContain(`port: ${new URL(natsUrl!).port}\n`)
    const asked = load<{ targets: string[] }[]>('prometheus/servers.large.yml').flatMap(({ targets }) => targets)
    expect(asked).toEqual(servers.map(([name]) => `${name}:${web.environment!['METRICS_PORT']}`).toSorted(byRole))
  })

  test('commands that stop or replace servers name all of them, in both forms', () => {
    const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8')
    const [, pattern] = /servers=\$\(docker compose config --services \| grep -E '(.*)'\)/.exec(operating) ?? []
    for (const all of [base.services, services])
      expect(Object.keys(all).filter(name => new RegExp(pattern!).test(name))).toEqual(
        Object.keys(all).filter(name => all[name]!.image === 'permeate'),
      )
    for (const command of ['stop', 'start']) expect(operating).toContain(`docker compose ${command} $servers\n`)
    expect(operating).toContain(
      'for server in $servers; do docker compose up -d --no-deps --wait $server || break; done',
    )
  })

  test('Caddy passes calls to the web servers only', () => {
    const [, targets] = /reverse_proxy (.*) \{/.exec(read('Caddyfile')) ?? []
    const webServers = servers.filter(([, { environment }]) => environment!['ROLES'] === 'web').map(([name]) => name)
    expect(targets!.split(' ').map(target => target.split(':')[0])).toEqual(webServers)
  })

  test('every service has limits and a health check, and runs a pinned version', () => {
    for (const [name, { image, cpus, mem_limit, healthcheck }] of Object.entries(services)) {
      expect(cpus, name).toBeGreaterThan(0)
      expect(mem_limit, name).toMatch(/^\d+[mg]$/)
      // The image of a server has its own.
      if (image === 'permeate') expect(read('Dockerfile')).toContain('HEALTHCHECK ')
      else {
        expect(healthcheck?.test[0], name).toBe('CMD')
        expect(image, name).toMatch(/:v?\d+(\.\d+)*(-alpine)?$/)
      }
    }
  })

  test('publishes nothing but the console, the devices’ port, and Prometheus to this machine', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map(port => `${name} ${port}`))
    expect(published).toEqual([
      'mosquitto 8883:8883',
      'caddy 80:80',
      'caddy 443:443',
      'caddy 443:443/udp',
      'prometheus 127.0.0.1:9090:9090',
    ])
  })

  test('contains no secrets: they come from .env, which has exactly the variables that are used', () => {
    for (const { environment = {} } of Object.values(services))
      for (const [name, text] of Object.entries(environment)) {
        if (/PASSWORD|TOKEN|KEY/.test(name)) expect(text).toMatch(/^"?\$\{\w+:\?missing in .env\}"?$/)
        if (/:\/\/\S+:(.*)@/.test(text)) expect(text).toMatch(/:\/\/[\w-]+:\$\{\w+:\?missing in .env\}@/)
      }
    const used = [...(read('compose.yaml') + read('compose.large.yaml')).matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
    const named = [...read('.env.example').matchAll(/^#?(\w+)=/gm)].map(([, name]) => name)
    expect(new Set(named)).toEqual(new Set([...used, 'COMPOSE_FILE']))
    const [, files] = /^#COMPOSE_FILE=(.*)$/m.exec(read('.env.example')) ?? []
    for (const file of files!.split(':')) expect(existsSync(join(root, 'deploy', file))).toBe(true)
  })

  test('volumes are declared, mounted files are there, and each server has a volume of its own', () => {
    const mounts = Object.values(services).flatMap(({ volumes = [] }) => volumes.map(volume => volume.split(':')[0]!))
    const declared = Object.keys({ ...base.volumes, ...large.volumes })
    expect(new Set(mounts.filter(mount => !mount.startsWith('.')))).toEqual(new Set(declared))
    for (const mount of mounts.filter(name => name.startsWith('.')))
      expect(existsSync(join(root, 'deploy', mount)), mount).toBe(true)
    for (const [name, { volumes }] of servers) expect(volumes).toEqual([`${name}:/data`])
  })

  test('Compose accepts the files', context => {
    const files = ['-f', 'deploy/compose.yaml', '-f', 'deploy/compose.large.yaml']
    const variables = Object.fromEntries(
      [...read('.env.example').matchAll(/^#?(\w+)=/gm)]
        .map(([, name]) => name!)
        .filter(name => name !== 'COMPOSE_FILE')
        .map(name => [name, filled(`\${${name}}`)]),
    )
    const { error, status, stderr } = spawnSync('docker', ['compose', ...files, 'config', '-q'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, ...variables },
    })
    if (error || /unknown (docker )?command|unknown shorthand flag/.test(stderr))
      return context.skip('Compose is not installed')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

test.skipIf(!executable('nats'))('NATS accepts its file with any password of letters and digits', () => {
  const [before, after] = services['nats']!.environment!['NATS_PASSWORD']!.split(/\$\{.*\}/)
  for (const password of ['0123456789abcdef', '00112233445566778899001122334455', '1e10', '12k34', 'true']) {
    const { status, stderr } = spawnSync(executable('nats')!, ['-t', '-c', join(root, 'deploy', 'nats', 'nats.conf')], {
      encoding: 'utf8',
      env: { ...process.env, NATS_PASSWORD: `${before}${password}${after}` },
    })
    expect({ password, status }, stderr).toEqual({ password, status: 0 })
  }
})

/** Orders servers as their roles are listed: web, gateway, worker. */
function byRole(one: string, other: string): number {
  const place = (name: string) => ['server', 'gateway', 'worker'].findIndex(prefix => name.startsWith(prefix))
  return place(one) - place(other) || one.localeCompare(other)
}
