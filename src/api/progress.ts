/** Calls on many whose progress the stream tells. */

/** Of a call's ids, how many have come to their end so far, and how. */
export interface EndedIds {
  readonly done: number
  readonly failed: number
}
type Listener = (ended: EndedIds) => void

const followed = new Map<string, Listener>()
let serial = 0

/** Names a call and hears of its progress. Returns its name and how to stop. */
export function followCall(heard: Listener): { id: string; stop: () => void } {
  // The account's other tabs, which hear of it too, name theirs otherwise.
  const id = `${Math.random().toString(36).slice(2)}-${serial++}`
  followed.set(id, heard)
  return { id, stop: () => followed.delete(id) }
}

export function callProgressed(id: string, ended: EndedIds): void {
  followed.get(id)?.(ended)
}
