/**
 * The connections of a listener that have not said yet who they are or what they want. Their number is limited; a
 * further one takes the place of the oldest from the address that has the most, so that no address keeps others out, and
 * silent connections do not keep out others of their own address.
 */
import type { Duplex } from 'node:stream'
import { addressGroup } from './addressGroup.ts'

export interface WaitingConnections {
  /** Adds a connection. It, or the connection whose place it takes, is destroyed if there is no place. */
  add(connection: Duplex, address: string): void
  /** Keeps the place of a connection while the server works for it. */
  hold(connection: Duplex): void
  /** Ends `hold`: from now on another connection may take its place. */
  release(connection: Duplex): void
  /** Removes a connection that no longer waits. */
  delete(connection: Duplex): void
  /** Destroys the oldest connection from an address. Returns whether there was one. */
  evictFrom(address: string): boolean
  /** Destroys all. */
  destroyAll(): void
}

/** Opens the collection for `max` connections. */
export function openWaitingConnections(max: number): WaitingConnections {
  /** The group of each connection. */
  const groups = new Map<Duplex, string>()
  /** The connections of each group that nothing is being done for, oldest first. */
  const idle = new Map<string, Set<Duplex>>()

  const setIdle = (connection: Duplex, group: string) => {
    const members = idle.get(group)
    if (members === undefined) idle.set(group, new Set([connection]))
    else members.add(connection)
  }
  const setBusy = (connection: Duplex, group: string) => {
    const members = idle.get(group)
    members?.delete(connection)
    if (members?.size === 0) idle.delete(group)
  }
  const remove = (connection: Duplex) => {
    const group = groups.get(connection)
    if (group === undefined) return
    groups.delete(connection)
    setBusy(connection, group)
  }
  const evictOldest = (members: ReadonlySet<Duplex> | undefined): boolean => {
    const [oldest] = members ?? []
    if (oldest === undefined) return false
    remove(oldest)
    oldest.destroy()
    return true
  }
  const largestGroup = () => {
    let largest: ReadonlySet<Duplex> | undefined
    for (const members of idle.values()) if (members.size > (largest?.size ?? 0)) largest = members
    return largest
  }
  return {
    add: (connection, address) => {
      // If the server works for all of them, there is no place.
      if (groups.size >= max && !evictOldest(largestGroup())) return void connection.destroy()
      const group = addressGroup(address)
      groups.set(connection, group)
      setIdle(connection, group)
    },
    hold: connection => {
      const group = groups.get(connection)
      if (group !== undefined) setBusy(connection, group)
    },
    release: connection => {
      const group = groups.get(connection)
      if (group !== undefined) setIdle(connection, group)
    },
    delete: remove,
    evictFrom: address => evictOldest(idle.get(addressGroup(address))),
    destroyAll: () => {
      for (const connection of groups.keys()) connection.destroy()
    },
  }
}
