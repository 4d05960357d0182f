/** Milliseconds between two attempts. */
const pause = 1000
/** How often a part is asked for of a server that answers; a proxy may do so a moment before what is behind it. */
const attempts = 3

/** Whether what the console is loaded from answers; sending elsewhere, to sign in say, is an answer too. */
const served = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store', redirect: 'manual' }).then(
    ({ status }) => status < 500,
    () => false,
  )

/**
 * Asks for a part of the console until it is there. Rejects with what `load` rejects with where the server answers but
 * the part does not come: a newer console took its place, or the browser does not ask twice for a module.
 */
export async function loadPart<Part>(load: () => Promise<Part>, left = attempts): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    const next = (await served()) ? left - 1 : left
    if (next === 0) throw error
    await new Promise(resolve => setTimeout(resolve, pause))
    return loadPart(load, next)
  }
}
