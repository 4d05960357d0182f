/** Milliseconds between two attempts. */
const pause = 1000
/** Attempts while the server responds; a proxy may respond a moment before the server behind it does. */
const maxAttempts = 3

/** Returns whether the console's origin responds. A redirect, for example to sign in, counts as a response. */
const serverResponds = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store', redirect: 'manual' }).then(
    ({ status }) => status < 500,
    () => false,
  )

/**
 * Imports a module, retrying until it arrives. Rejects with the error of `load` if the server responds but the module
 * does not load: a newer version was deployed, or the browser caches the failed module.
 */
export async function importWithRetry<Module>(
  load: () => Promise<Module>,
  attemptsLeft = maxAttempts,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const next = (await serverResponds()) ? attemptsLeft - 1 : attemptsLeft
    if (next === 0) throw error
    await new Promise(resolve => setTimeout(resolve, pause))
    return importWithRetry(load, next)
  }
}
