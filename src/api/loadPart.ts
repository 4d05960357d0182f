/** Milliseconds between two attempts while the server is out of reach. */
const pause = 2000

/** Whether what the console is loaded from answers. */
const served = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * Asks for a part of the console until it is there. Rejects with what `load` rejects with where the server has it no
 * longer: a newer console took its place.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch {
    if (await served()) return load()
    await new Promise(resolve => setTimeout(resolve, pause))
    return loadPart(load)
  }
}
