/**
 * Lists of a person's own work, such as scripts. They survive signing out and are shown only to the account that created
 * them. A change is visible at once and is applied to the stored list when the storage responds, so nothing is lost
 * when the storage is slow or other tabs change the list.
 */
import * as z from 'zod/mini'
import { changeLarge, onLargeChanged, withStorageTimeout, readLarge } from './persist.ts'

type List<One> = readonly One[]
type Change<One> = (list: List<One>) => List<One>

export interface UserList<One> {
  /** Loads the list of `user`; an empty list for undefined. Resolves once it is loaded. */
  load(user: string | undefined): Promise<void>
  /** Returns a promise for the initial load, which also resolves on timeout; undefined once loaded. */
  loading(): Promise<void> | undefined
  /**
   * Changes the list. Resolves with whether the change is stored, at the latest on timeout. `by` must be pure: it is
   * applied more than once, to the visible list and to the stored one.
   */
  change(by: Change<One>): Promise<boolean>
}

/** The list of the account that is shown. */
interface AccountList<One> {
  readonly user: string
  /** The promise for the initial load; undefined once loaded. */
  loading: Promise<void> | undefined
  /** The list as last read or written. */
  stored: List<One>
  /**
   * Changes that are not stored yet, in order. If the storage is full, they are written with the next change; without
   * storage they last until the page is closed.
   */
  changes: List<Change<One>>
}

const applyChanges = <One>(changes: List<Change<One>>, list: List<One>) => changes.reduce((all, by) => by(all), list)

/**
 * Creates a list. `kind`: the storage key's prefix; `schema`: that of an entry; `onChange`: called with the list when it
 * changes.
 */
export function createUserList<One>(
  kind: string,
  schema: z.ZodMiniType<One>,
  onChange: (list: List<One>) => void,
): UserList<One> {
  let current: AccountList<One> | undefined
  let list: List<One> = []
  // Reads and writes are queued, so that a read lacks exactly the changes that are not stored yet.
  let queue = Promise.resolve()

  const nameOf = (user: string) => `${kind}:${user}`
  const enqueue = (act: () => Promise<void>) => (queue = queue.then(act))

  /** Separates valid entries from the rest, which another version of the console may have written and which is kept. */
  function parseEntries(value: unknown): { list: List<One>; rest: List<unknown> } {
    const entries: List<unknown> = Array.isArray(value) ? value : [value]
    const parsed = entries.map(entry => z.safeParse(schema, entry))
    return {
      list: parsed.flatMap(({ success, data }) => (success ? [data] : [])),
      rest: entries.filter((_, index) => !parsed[index]?.success),
    }
  }
  function update(): void {
    const next = current ? applyChanges(current.changes, current.stored) : []
    // A reload without changes needs no update.
    if (JSON.stringify(next) === JSON.stringify(list)) return
    list = next
    onChange(list)
  }
  const read = (account: AccountList<One>) =>
    enqueue(async () => {
      const value = await readLarge(nameOf(account.user))
      if (value !== undefined) account.stored = parseEntries(value).list
      account.loading = undefined
      update()
    })
  const write = (account: AccountList<One>) =>
    enqueue(async () => {
      const { changes } = account
      // Already written together with an earlier change.
      if (changes.length === 0) return
      let next = account.stored
      const isStored = await changeLarge(nameOf(account.user), value => {
        const { list: before, rest } = value === undefined ? { list: account.stored, rest: [] } : parseEntries(value)
        next = applyChanges(changes, before)
        return [...next, ...rest]
      })
      if (!isStored) return
      account.stored = next
      account.changes = account.changes.slice(changes.length)
      update()
    })

  onLargeChanged(nameOf(''), name => {
    if (current && name === nameOf(current.user)) void read(current)
  })

  return {
    async load(user) {
      const other = user !== current?.user
      if (other) {
        current = user === undefined ? undefined : { user, loading: undefined, stored: [], changes: [] }
        update()
      }
      if (!current) return
      const reading = read(current)
      if (other) current.loading = withStorageTimeout(reading)
      await reading
    },
    loading: () => current?.loading,
    async change(by) {
      const account = current
      if (!account) return false
      account.changes = [...account.changes, by]
      update()
      await withStorageTimeout(write(account))
      return !account.changes.includes(by)
    },
  }
}
