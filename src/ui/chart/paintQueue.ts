/** Queues paints and runs each in a task of its own, so that keys and frames are handled in between. */

const queue = new Map<object, () => void>()
const channel = new MessageChannel()
let isScheduled = false

channel.port1.addEventListener('message', () => {
  isScheduled = false
  const [next] = queue
  if (!next) return
  queue.delete(next[0])
  next[1]()
  schedule()
})
channel.port1.start()

function schedule(): void {
  if (isScheduled || queue.size === 0) return
  isScheduled = true
  channel.port2.postMessage(undefined)
}

/** Queues `paint`, replacing an earlier one of the same owner. Returns a function that cancels it. */
export function queuePaint(owner: object, paint: () => void): () => void {
  queue.delete(owner)
  queue.set(owner, paint)
  schedule()
  return () => queue.delete(owner)
}
