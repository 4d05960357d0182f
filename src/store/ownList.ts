/**
 * Lists that are a person's own work rather than a state of the console: they outlive logging out, and are shown to nobody
 * but the account that made them. A change shows at once, and is made to whatever is stored, or read, by the time that the
 * storage answers; so nothing is lost, however late that is and whatever other tabs do meanwhile.
 */
import * as z from 'zod/mini'
import { changeLarge, followLarge, inTime, readLarge } from './persist.ts'

type Change<One> = (list: readonly One[]) => readonly One[]

export interface OwnList<One> {
  /** Shows those of `user`, as they are stored now; none where nobody is signed in. Resolves once they are there. */
  show(user: string | undefined): Promise<void>
  /**
   * Resolves once it is stored, or nobody is to wait for that any longer. `by` must be pure: it is made more than once, to
   * what is shown and to what is stored, which are to come to the same.
   */
  change(by: Change<One>): Promise<void>
}

/** `kind` names what is stored; `shown` is told of the list whenever it is another. */
export function ownList<One>(
  kind: string,
  stored: z.ZodMiniType<readonly One[]>,
  shown: (list: readonly One[]) => void,
): OwnList<One> {
  let user: string | undefined
  let list: readonly One[] = []
  // All since this user's list is shown: what is read lacks those that were made after reading began.
  let changes: Change<One>[] = []

  const nameOf = (whose: string) => `${kind}:${whose}`
  const valid = (value: unknown) => z.safeParse(stored, value).data

  const set = (next: readonly One[]) => {
    // Read anew and still the same, nothing need follow.
    if (JSON.stringify(next) === JSON.stringify(list)) return
    list = next
    shown(list)
  }
  async function read(whose: string): Promise<void> {
    const [mine, from] = [changes, changes.length]
    const then = valid(await readLarge(nameOf(whose)))
    // For somebody else it comes too late.
    if (then && mine === changes) set(mine.slice(from).reduce((all, by) => by(all), then))
  }

  followLarge(nameOf(''), name => {
    if (user !== undefined && name === nameOf(user)) void read(user)
  })

  return {
    async show(next) {
      if (next !== user) {
        user = next
        changes = []
        set([])
      }
      if (next !== undefined) await read(next)
    },
    async change(by) {
      if (user === undefined) return
      const [whose, before] = [user, list]
      changes.push(by)
      set(by(before))
      // A browser that keeps nothing has them until the page goes away.
      const written = changeLarge(nameOf(whose), then => by(valid(then) ?? before))
      await inTime(written.then(() => (whose === user ? read(whose) : undefined)))
    },
  }
}
