/** Queues paints and runs each in a task of its own, so that keys and frames are handled in between. */

const waiting = new Map<object, () => void>()
const channel = new MessageChannel()
let scheduled = false

channel.port1.addEventListener('message', () => {
  scheduled = false
  const [next] = waiting
  if (!next) return
  waiting.delete(next[0])
  next[1]()
  schedule()
})
channel.port1.start()

function schedule(): void {
  if (scheduled || waiting.size === 0) return
  scheduled = true
  channel.port2.postMessage(undefined)
}

/** Queues `paint`, replacing an earlier one of the same owner. Returns a function that cancels it. */
export function paintSoon(owner: object, paint: () => void): () => void {
  waiting.delete(owner)
  waiting.set(owner, paint)
  schedule()
  return () => waiting.delete(owner)
}
