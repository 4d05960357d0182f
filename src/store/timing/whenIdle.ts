/** Resolves when the page is idle, at the latest after `timeout` milliseconds. */
export const whenIdle = (timeout: number): Promise<void> =>
  new Promise(resolve => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout })
    else setTimeout(resolve)
  })
