/** Calls back when the page has nothing better to do; returns what calls that off. */
export function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const waiting = setTimeout(run, 300)
    return () => clearTimeout(waiting)
  }
  const waiting = window.requestIdleCallback(run, { timeout: 2000 })
  return () => window.cancelIdleCallback(waiting)
}
