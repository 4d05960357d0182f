/** The browser's storage as `idb-keyval` gives it, in one order, and as slow or full as a test wants: jsdom has none. */

export const stored = new Map<string, unknown>()

let turn: Promise<unknown> = Promise.resolve()
let release: (() => void) | undefined

/** From now on it answers nothing, until it is released. */
export function hold(): void {
  const held = new Promise<void>(resolve => (release = resolve))
  turn = turn.then(() => held)
}
/** Resolves once all that was asked of it meanwhile is done. */
export async function letGo(): Promise<void> {
  release?.()
  for (let before: unknown; before !== turn; await before) before = turn
}

let full = false
/** Whether there is room for nothing more. */
export function setFull(now: boolean): void {
  full = now
}

function inTurn<Value>(act: () => Value): Promise<Value> {
  const done = turn.then(act)
  turn = done.catch(() => undefined)
  return done
}
function put(name: string, value: unknown): void {
  if (full) throw new DOMException('The storage is full', 'QuotaExceededError')
  stored.set(name, structuredClone(value))
}

export const createStore = () => undefined
export const get = (name: string) => inTurn(() => structuredClone(stored.get(name)))
export const set = (name: string, value: unknown) => inTurn(() => put(name, value))
export const del = (name: string) => inTurn(() => void stored.delete(name))
export const keys = () => inTurn(() => [...stored.keys()])
export const update = (name: string, change: (before: unknown) => unknown) =>
  inTurn(() => put(name, change(structuredClone(stored.get(name)))))
