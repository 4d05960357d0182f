/** Calls on many whose progress the stream tells. */

type Listener = (ended: number) => void

const followed = new Map<string, Listener>()
let serial = 0

/** Names a call and hears of its progress: of how many ids it has come to its end. Returns its name and how to stop. */
export function followCall(heard: Listener): { id: string; stop: () => void } {
  // The account's other tabs, which hear of it too, name theirs otherwise.
  const id = `${Math.random().toString(36).slice(2)}-${serial++}`
  followed.set(id, heard)
  return { id, stop: () => followed.delete(id) }
}

export function callProgressed(id: string, ended: number): void {
  followed.get(id)?.(ended)
}
