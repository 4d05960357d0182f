/**
 * The change of a selection that is still on its way: a search whose matches are being read, or a stored selection that
 * is being restored. A command that uses the selection waits for it, so that it never acts on the earlier one.
 */

/** Resolves with whether the selection was changed; undefined if no change is pending. */
let pending: Promise<boolean> | undefined

/** Returns the latest change, which ends after those before it; undefined if none is pending. */
export const pendingSelectionChange = (): Promise<boolean> | undefined => pending

/**
 * Counts a change as pending until it ends, and returns its result. It failed if it rejects or if `hasChanged` returns
 * false for the result.
 */
export async function changeSelection<Result>(
  change: () => Promise<Result>,
  hasChanged: (result: Result) => boolean = () => true,
): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  pending = promise
  let changed = false
  try {
    const result = await change()
    changed = hasChanged(result)
    return result
  } finally {
    if (pending === promise) pending = undefined
    resolve(changed)
  }
}
