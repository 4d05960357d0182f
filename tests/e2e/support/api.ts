/** Sets up the data of a test by API calls, which is faster than through the console. */
import type { Tokens } from '../../../src/api/contract/auth.ts'
import type { Credential } from '../../../src/api/contract/devices.ts'
import { newBssids } from './devices.ts'
import { expect } from '@playwright/test'

export interface Caller {
  /** Returns the `data` of the response; an error status fails the test. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** Returns only the status. */
  status(method: string, path: string, body?: unknown): Promise<number>
  /** Uploads a CSV file and returns the `data` of the response; an error status fails the test. */
  upload(path: string, csv: string): Promise<unknown>
}

export const demoPassword = 'permeate-demo'

const json = { 'content-type': 'application/json' }

/** Starts a session and returns its tokens. */
export async function logIn(url: string, login: string, password = demoPassword): Promise<Tokens> {
  const signedIn = await fetch(`${url}/api/v3/auth/login/dashboard`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ login, password }),
  })
  expect(signedIn.status, `${login} signs in`).toBe(200)
  return ((await signedIn.json()) as { data: Tokens }).data
}

/** How long a shared caller is used: less than the 15 minutes for which its token is valid. */
const usedFor = 10 * 60_000
const sharedCallers = new Map<string, { readonly caller: Promise<Caller>; readonly since: number }>()

/**
 * Returns functions that call the API as an account. The tests of a worker share the sessions of accounts with the
 * demo's password; for any other account, each call starts a new session.
 */
export function callerFor(url: string, login: string, password = demoPassword): Promise<Caller> {
  if (password !== demoPassword) return newCaller(url, login, password)
  const kept = sharedCallers.get(login)
  if (kept && Date.now() - kept.since < usedFor) return kept.caller
  const caller = newCaller(url, login, password)
  sharedCallers.set(login, { caller, since: Date.now() })
  return caller
}

async function newCaller(url: string, login: string, password: string): Promise<Caller> {
  const data = await logIn(url, login, password)
  const token = { 'access-token': data.access_token }
  const send = (method: string, path: string, body: unknown) =>
    fetch(`${url}${path}`, {
      method,
      headers: body === undefined ? token : { ...token, ...json },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    async call(method, path, body) {
      const response = await send(method, path, body)
      const text = await response.text()
      expect(response.ok, `${method} ${path}: ${text}`).toBe(true)
      return (JSON.parse(text) as { data: unknown }).data
    },
    status: async (method, path, body) => (await send(method, path, body)).status,
    async upload(path, csv) {
      const file = new FormData()
      file.append('file', new Blob([csv], { type: 'text/csv' }), 'rows.csv')
      const response = await fetch(`${url}${path}`, { method: 'POST', headers: token, body: file })
      const text = await response.text()
      expect(response.status, text).toBe(200)
      return (JSON.parse(text) as { data: unknown }).data
    },
  }
}

let serial = 0
/** Returns a name that no other test uses; each worker has its own database. */
export const unique = (word: string) => `${word}-${Date.now().toString(36)}${(serial++).toString(36)}`

/** Returns the id of the only row whose column has exactly this value. */
export async function idOf(caller: Caller, path: string, column: string, value: string): Promise<string> {
  const query = new URLSearchParams({ column, operator: 'eq', search: value })
  const { data } = (await caller.call('GET', `${path}?${query}`)) as { data: { _id: string }[] }
  expect(data, value).toHaveLength(1)
  return data[0]!._id
}

/** Creates a vendor and returns its login and id. */
export async function newVendor(
  caller: Caller,
  password = 'a-vendors-own-password',
): Promise<{ login: string; id: string }> {
  const login = unique('vendor')
  const { _id: id } = (await caller.call('POST', '/api/v3/vendors', {
    login,
    password,
    first_name: 'Vera',
    last_name: 'Test',
    company_name: `Company of ${login}`,
    company_address: 'Quay 1',
  })) as { _id: string }
  return { login, id }
}

/** Creates a device model that these vendors (ids) may use, and returns its name. */
export async function newModel(caller: Caller, vendors: readonly string[]): Promise<string> {
  const name = unique('RO')
  const body = { name, platform: 'esp32', capabilities: ['flush'], bypass_flow_rates: [0, 0.1, 0.2, 0.4], vendors }
  await caller.call('POST', '/api/v3/devices/models', body)
  return name
}

/** Creates `count` devices and returns their ids. */
export async function newDevices(
  caller: Caller,
  count: number,
  { model = 'RO-400 Home', vendor = 'vendor', system = '' }: { model?: string; vendor?: string; system?: string } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => {
    const digits = (Date.now() * 64 + (serial++ % 64)).toString(16).slice(-10).toUpperCase().padStart(10, '0')
    return ['6A', ...digits.match(/../g)!].join(':')
  })
  const lines = ids.map(id => `${id},esp32,${model},${system},${vendor},Made for a test`)
  await caller.upload(
    '/api/v3/devices/file',
    ['bssid,platform,model,filtration_system,vendor,description', ...lines].join('\n'),
  )
  return ids
}

interface NewDevice {
  readonly platform?: string
  readonly model?: string
  readonly vendor?: string
  readonly description?: string
}

/** Creates a device that no other test uses and that lists sort after the demo's; returns its broker credential. */
export async function newCredential(admin: Caller, of: NewDevice = {}): Promise<Credential> {
  const [credential] = await newCredentials(admin, 1, of)
  return credential!
}

/** Creates several such devices with one call, and returns their credentials. */
export async function newCredentials(
  admin: Caller,
  count: number,
  { platform = 'esp32', model = 'RO-400 Home', vendor = 'vendor', description = '' }: NewDevice = {},
): Promise<readonly Credential[]> {
  const lines = newBssids(count).map(bssid => `${bssid},${platform},${model},${vendor},${description}`)
  const { credentials } = (await admin.upload(
    '/api/v3/devices/file',
    ['bssid,platform,model,vendor,description', ...lines].join('\n'),
  )) as { credentials: readonly Credential[] }
  return credentials
}

/** Creates devices of a model that no other test uses. */
export async function newModelWithDevices(admin: Caller, count: number): Promise<{ model: string; ids: string[] }> {
  const vendor = await idOf(admin, '/api/v3/vendors', 'login', 'vendor')
  const model = await newModel(admin, [vendor])
  const ids = await newDevices(admin, count, { model })
  return { model, ids: ids.toSorted() }
}

/** Waits until the server has the devices as online, so that no preview skips them as offline. */
export async function online(admin: Caller, ids: readonly string[]) {
  for (const id of ids)
    await expect
      .poll(async () => ((await admin.call('GET', `/api/v3/devices/${id}`)) as { status: number }).status)
      .toBe(0)
}
