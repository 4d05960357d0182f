/**
 * State that survives a reload. Small state is in localStorage: read before the first render and written at once, so
 * that a reload right after a change keeps it. Large state (a selection of 100,000 devices) is in IndexedDB.
 */
import { createStore, del, get, keys, set, update } from 'idb-keyval'
import { snapshot, subscribe } from 'valtio/vanilla'
import { validOf, type Checks } from '../domain/lib/checks.ts'

/** Milliseconds after which the console continues without the storage's response (specification, section 9). */
export const storageTimeout = 5000

const keyOf = (name: string) => `permeate:${name}`

/** Functions that reset persisted states to their initial values. */
const resets: (() => void)[] = []

/** Which stored values are valid; a property without a check is not stored. */
type StoredChecks<State extends object> = Partial<Checks<State>>

/** Properties of a state that are stored under one name. */
interface Part<State extends object> {
  readonly name: string
  readonly checks: StoredChecks<State>
}

/**
 * Merges the valid stored values of `name` into `state`, and from then on stores every change of them. `shared`: the
 * properties that are stored under a name of their own; earlier versions stored them with the others.
 */
export function persist<State extends object>(
  name: string,
  state: State,
  checks: StoredChecks<State>,
  shared?: Part<State>,
): void {
  // A proxy cannot be cloned, but its snapshot can.
  const initial = structuredClone(snapshot(state))
  const write = (part: Part<State>) =>
    localStorage.setItem(keyOf(part.name), JSON.stringify(validOf(state, part.checks)))
  const store = () => {
    if (isImporting) return
    try {
      if (shared) write(shared)
      write({ name, checks })
    } catch {
      // If storage is full or forbidden, the state is lost on reload, but the console keeps working.
    }
  }
  resets.push(() => {
    Object.assign(state, structuredClone(initial))
    // Another tab may have stored values that this one has not read.
    store()
  })
  Object.assign(state, readStored(name, { ...shared?.checks, ...checks }))
  if (shared) Object.assign(state, readStored(shared.name, shared.checks))
  subscribe(state, store, true)
}

/** Resets all persisted states to their initial values. These are stored, so that other tabs apply them. */
export function clearStored(): void {
  for (const reset of resets) reset()
}

/** True while another tab's values are applied; they are not stored again, as the tab may have stored newer ones. */
let isImporting = false

/** Applies the values that other tabs have stored under `name`, now and whenever they change. */
export function syncWithOtherTabs<State extends object>(name: string, state: State, checks: StoredChecks<State>): void {
  const applyStored = () => {
    const stored: Partial<State> = readStored(name, checks)
    isImporting = true
    for (const key of Object.keys(stored) as (keyof State)[])
      if (JSON.stringify(stored[key]) !== JSON.stringify(state[key])) Object.assign(state, { [key]: stored[key] })
    isImporting = false
  }
  applyStored()
  window.addEventListener('storage', event => {
    if (event.key === keyOf(name)) applyStored()
  })
}

/** Returns the valid ones among the stored values of `name`. */
export function readStored<State extends object>(name: string, checks: StoredChecks<State>): Partial<State> {
  try {
    return validOf(JSON.parse(localStorage.getItem(keyOf(name)) ?? '{}'), checks)
  } catch {
    return {}
  }
}

let openedDatabase: ReturnType<typeof createStore> | undefined
/** Opens the database on first use. */
const database = () => (openedDatabase ??= createStore('permeate', 'state'))

/**
 * Reads a value from IndexedDB; undefined if there is none or reading fails. Can take long: see `withStorageTimeout`.
 */
export async function readLarge(name: string): Promise<unknown> {
  try {
    return await get<unknown>(name, database())
  } catch {
    // Private windows may have no IndexedDB.
    return undefined
  }
}

/** Resolves with the value of `storage`, or with undefined after `storageTimeout`. */
export async function withStorageTimeout<Value>(storage: Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), storageTimeout)
  })
  try {
    return await Promise.race([storage, late])
  } finally {
    clearTimeout(timer)
  }
}

export async function writeLarge(name: string, value: unknown): Promise<void> {
  try {
    await (value === undefined ? del(name, database()) : set(name, value, database()))
    otherTabs().postMessage(name)
  } catch {
    // As above: the state is lost on reload.
  }
}

/**
 * Changes a stored value in one transaction, so that other tabs' changes are kept. Resolves with whether it succeeded;
 * a value that cannot be read or written stays unchanged.
 */
export async function changeLarge(name: string, change: (stored: unknown) => unknown): Promise<boolean> {
  try {
    await update<unknown>(name, change, database())
    otherTabs().postMessage(name)
    return true
  } catch {
    return false
  }
}

let channel: BroadcastChannel | undefined
const otherTabs = () => (channel ??= new BroadcastChannel('permeate'))

/** Calls `onChange` with each name with the prefix that another tab has written to or removed from IndexedDB. */
export function onLargeChanged(prefix: string, onChange: (name: string) => void): void {
  otherTabs().addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string' && data.startsWith(prefix)) onChange(data)
  })
}

/** Returns the names in IndexedDB with the prefix; none on failure. */
export async function largeStateNames(prefix: string): Promise<readonly string[]> {
  try {
    return (await keys<string>(database())).filter(name => name.startsWith(prefix))
  } catch {
    return []
  }
}
