/** Uploads whose responses have secrets, which are lost if the page closes or another person signs in before they arrive. */
const running = new Set<AbortController>()

export const hasRunningUploads = (): boolean => running.size > 0

/** Stops all uploads: what they were sending is not shown. */
export function stopUploads(): void {
  for (const upload of running) upload.abort()
}

/** Runs an upload, during which closing the page and logging out ask first. Its signal is aborted when it must stop. */
export async function whileUploading<Result>(upload: (stopped: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  running.add(stop)
  try {
    return await upload(stop.signal)
  } finally {
    running.delete(stop)
  }
}
