/** Columns of the list of servers. */
import { typedKeys } from '../lib/typedKeys.ts'
import type { Columns } from './column.ts'

/**
 * What a server does. `web`: console, API and live streams. `gateway`: receives messages of devices and stores them.
 * `worker`: jobs, alarms by time, health, retention and mails.
 */
export const serverRoleNames = { web: 'Web', gateway: 'Gateway', worker: 'Worker' } as const
export type ServerRole = keyof typeof serverRoleNames
export const serverRoles = typedKeys(serverRoleNames)

/** `silent`: it has not reported for a while, so it has been killed or does not reach the database. */
export const serverStateNames = { running: 'Running', silent: 'Not responding' } as const
export type ServerState = keyof typeof serverStateNames
export const serverStates = typedKeys(serverStateNames)

/** How events of one server reach the others. `none`: the database is this server's alone. */
export const busNames = { postgres: 'PostgreSQL', nats: 'NATS', none: 'None' } as const
export type BusKind = keyof typeof busNames
export const busKinds = typedKeys(busNames)

/**
 * Whether events reach the other servers. `disconnected`: not now. `apart`: the server is connected, and does not receive the
 * events of all servers that run, so they have different buses.
 */
export const busStateNames = { connected: 'Connected', disconnected: 'Disconnected', apart: 'Misses servers' } as const
export type ServerBusState = keyof typeof busStateNames
export const busStates = typedKeys(busStateNames)

export const serverColumns = {
  name: { label: 'Server', kind: 'text', width: 150 },
  roles: { label: 'Roles', kind: 'choice', names: serverRoleNames, width: 180 },
  state: { label: 'State', kind: 'choice', names: serverStateNames, width: 120 },
  bus: { label: 'Event bus', kind: 'choice', names: busNames, width: 110 },
  bus_state: { label: 'Bus state', kind: 'choice', names: busStateNames, width: 126 },
  cpu: { label: 'Processor', kind: 'number', unit: '%', width: 100 },
  lag: { label: 'Event-loop delay', short: 'Delay', kind: 'number', unit: 'ms', width: 90 },
  memory: { label: 'Memory', kind: 'number', unit: 'MB', width: 116 },
  devices: { label: 'Connected devices', short: 'Devices', kind: 'number', width: 90 },
  readings: { label: 'Readings per second', short: 'Readings/s', kind: 'number', digits: 1, width: 110 },
  pending: { label: 'Waiting readings', short: 'Waiting', kind: 'number', width: 90 },
  version: { label: 'Version', kind: 'text', width: 90 },
  started_at: { label: 'Started', kind: 'time', width: 168 },
  seen_at: { label: 'Last seen', kind: 'time', timeFormat: 'ago', width: 130 },
} as const satisfies Columns
