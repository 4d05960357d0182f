/**
 * State that outlives a reload. Small state is in localStorage: read before the first render and written at once, so
 * that a reload right after a change keeps it. What may grow (a selection of 100,000 devices) is in IndexedDB.
 */
import { createStore, del, get, keys, set, update } from 'idb-keyval'
import { snapshot, subscribe } from 'valtio/vanilla'
import * as z from 'zod/mini'

/** Milliseconds after which the console goes on without what the storage has not given back (specification, section 9). */
export const storageTimeout = 5000

const keyOf = (name: string) => `permeate:${name}`

/** Puts one kept state back to how it began. */
const resets: (() => void)[] = []

/** Reads `name`, merges what is valid of it into `state`, and from then on writes every change of `state`. */
export function persist<State extends object>(name: string, state: State, schema: z.ZodMiniType<Partial<State>>): void {
  // A proxy cannot be cloned; what it holds can.
  const initial = structuredClone(snapshot(state))
  resets.push(() => {
    Object.assign(state, structuredClone(initial))
    localStorage.removeItem(keyOf(name))
  })
  Object.assign(state, readStored(name, schema))
  subscribe(
    state,
    () => {
      if (takingOver) return
      try {
        localStorage.setItem(keyOf(name), JSON.stringify(state))
      } catch {
        // A full or forbidden storage costs only the memory of this state, never the work at hand.
      }
    },
    true,
  )
}

/** Forgets everything that is stored, and puts what was kept back to how it began. */
export function clearStored(): void {
  for (const reset of resets) reset()
}

/** What another tab has written is not written again: by then it may have written something newer. */
let takingOver = false

/** Takes over what another tab has written under `name`, and what it writes from now on. */
export function followOtherTabs<State extends object>(
  name: string,
  state: State,
  schema: z.ZodMiniType<Partial<State>>,
): void {
  const take = () => {
    const stored: Partial<State> = readStored(name, schema)
    takingOver = true
    for (const key of Object.keys(stored) as (keyof State)[])
      if (JSON.stringify(stored[key]) !== JSON.stringify(state[key])) Object.assign(state, { [key]: stored[key] })
    takingOver = false
  }
  take()
  window.addEventListener('storage', event => {
    if (event.key === keyOf(name)) take()
  })
}

export function readStored<State>(name: string, schema: z.ZodMiniType<Partial<State>>): Partial<State> {
  try {
    const stored = z.safeParse(schema, JSON.parse(localStorage.getItem(keyOf(name)) ?? '{}'))
    return stored.success ? stored.data : {}
  } catch {
    return {}
  }
}

let opened: ReturnType<typeof createStore> | undefined
/** Opened when first needed, and once. */
const large = () => (opened ??= createStore('permeate', 'state'))

/**
 * What IndexedDB holds under `name`, however long that takes; undefined when it holds nothing or fails. What has been
 * done by then goes on, and what comes is added to it; whoever must wait waits `inTime`.
 */
export async function readLarge(name: string): Promise<unknown> {
  try {
    return await get<unknown>(name, large())
  } catch {
    // A browser that keeps nothing may have no such storage at all.
    return undefined
  }
}

/** Resolves with what it does, or with undefined once the console goes on without. */
export async function inTime<Value>(storage: Promise<Value>): Promise<Value | undefined> {
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
    await (value === undefined ? del(name, large()) : set(name, value, large()))
    otherTabs().postMessage(name)
  } catch {
    // As above: only the memory of this state is lost.
  }
}

/**
 * Changes what is stored by then, also by another tab, in one go, and resolves with whether it did: where that cannot be
 * read, or there is no room, it stays as it is.
 */
export async function changeLarge(name: string, change: (stored: unknown) => unknown): Promise<boolean> {
  try {
    await update<unknown>(name, change, large())
    otherTabs().postMessage(name)
    return true
  } catch {
    return false
  }
}

let channel: BroadcastChannel | undefined
const otherTabs = () => (channel ??= new BroadcastChannel('permeate'))

/** Tells each name that begins so, whenever another tab has written or removed what IndexedDB holds under it. */
export function followLarge(prefix: string, written: (name: string) => void): void {
  otherTabs().addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string' && data.startsWith(prefix)) written(data)
  })
}

/** The names that begin so under which IndexedDB holds something; none where it fails. */
export async function largeNames(prefix: string): Promise<readonly string[]> {
  try {
    return (await keys<string>(large())).filter(name => name.startsWith(prefix))
  } catch {
    return []
  }
}
