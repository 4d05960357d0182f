/**
 * The devices whose twins this server has changed and not yet copied to `device_values`. In memory, because a mark in the
 * database would cost a write for each reading and another one for each copy. What a killed server leaves is found by
 * comparison (`findUnsynced`).
 */
export interface UnsyncedDevices {
  add(bssids: Iterable<string>): void
  /**
   * Removes and returns the next `limit` devices of the current round. Fewer mean that the round has ended; the next call
   * begins one with all that were added meanwhile.
   */
  take(limit: number): readonly string[]
  readonly size: number
}

export function openUnsynced(): UnsyncedDevices {
  let added = new Set<string>()
  let round: readonly string[] = []
  return {
    add: bssids => {
      for (const bssid of bssids) added.add(bssid)
    },
    take: limit => {
      if (round.length === 0) {
        // In the order of their keys, in which they are stored.
        round = [...added].toSorted()
        added = new Set()
      }
      const taken = round.slice(0, limit)
      round = round.slice(limit)
      return taken
    },
    get size() {
      return added.size + round.length
    },
  }
}
