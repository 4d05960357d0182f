/** Paints one after another, each in a task of its own: keys and frames come in between. */

const waiting = new Map<object, () => void>()
const turn = new MessageChannel()
let asked = false

turn.port1.addEventListener('message', () => {
  asked = false
  const [next] = waiting
  if (!next) return
  waiting.delete(next[0])
  next[1]()
  ask()
})
turn.port1.start()

function ask(): void {
  if (asked || waiting.size === 0) return
  asked = true
  turn.port2.postMessage(undefined)
}

/** Runs `paint` in its turn; of several by one owner, only the last. Returns how to take it back. */
export function paintSoon(owner: object, paint: () => void): () => void {
  waiting.delete(owner)
  waiting.set(owner, paint)
  ask()
  return () => waiting.delete(owner)
}
