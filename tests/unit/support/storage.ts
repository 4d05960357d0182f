/**
 * Replaces `idb-keyval`, because jsdom has no IndexedDB. Operations run one after the other; a test can hold them back or
 * make the storage full.
 */

export const stored = new Map<string, unknown>()

let queue: Promise<unknown> = Promise.resolve()
let release: (() => void) | undefined

/** Holds all operations back until `releaseStorage`. */
export function holdStorage(): void {
  const held = new Promise<void>(resolve => (release = resolve))
  queue = queue.then(() => held)
}
/** Runs the operations that were held back, and resolves when all have ended. */
export async function releaseStorage(): Promise<void> {
  release?.()
  for (let before: unknown; before !== queue; await before) before = queue
}

let full = false
/** Sets whether every write fails with a QuotaExceededError. */
export function setFull(now: boolean): void {
  full = now
}

function enqueue<Value>(act: () => Value): Promise<Value> {
  const done = queue.then(act)
  queue = done.catch(() => undefined)
  return done
}
function write(name: string, value: unknown): void {
  if (full) throw new DOMException('The storage is full', 'QuotaExceededError')
  stored.set(name, structuredClone(value))
}

export const createStore = () => undefined
export const get = (name: string) => enqueue(() => structuredClone(stored.get(name)))
export const set = (name: string, value: unknown) => enqueue(() => write(name, value))
export const del = (name: string) => enqueue(() => void stored.delete(name))
export const keys = () => enqueue(() => [...stored.keys()])
export const update = (name: string, change: (before: unknown) => unknown) =>
  enqueue(() => write(name, change(structuredClone(stored.get(name)))))
