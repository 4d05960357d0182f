/**
 * Lists that are a person's own work rather than a state of the console: they outlive logging out, and are shown to nobody
 * but the account that made them. A change shows at once, and is made to whatever is stored, or read, by the time that the
 * storage answers; so nothing is lost, however late that is and whatever other tabs do meanwhile.
 */
import * as z from 'zod/mini'
import { changeLarge, followLarge, inTime, readLarge } from './persist.ts'

type List<One> = readonly One[]
type Change<One> = (list: List<One>) => List<One>

export interface OwnList<One> {
  /** Shows those of `user`, as they are stored now; none where nobody is signed in. Resolves once they are there. */
  show(user: string | undefined): Promise<void>
  /** While they have yet to be read, what resolves once they are, or nobody is to wait for that any longer. */
  awaited(): Promise<void> | undefined
  /**
   * Resolves once it is stored, or nobody is to wait for that any longer, with whether it is stored. `by` must be pure: it
   * is made more than once, to what is shown and to what is stored, which are to come to the same.
   */
  change(by: Change<One>): Promise<boolean>
}

/** One account's, since it is shown. */
interface Own<One> {
  readonly user: string
  /** Until the storage has answered, what resolves then or once nobody is to wait for it any longer. */
  awaited: Promise<void> | undefined
  /** As it was read or written last. */
  stored: List<One>
  /**
   * What is not stored yet, in order: where there is no room for it, it waits for the next change that there is room for,
   * and a browser that keeps nothing has it until the page goes away.
   */
  changes: List<Change<One>>
}

const made = <One>(changes: List<Change<One>>, list: List<One>) => changes.reduce((all, by) => by(all), list)

/** `kind` names what is stored, `one` each of it; `shown` is told of the list whenever it is another. */
export function ownList<One>(kind: string, one: z.ZodMiniType<One>, shown: (list: List<One>) => void): OwnList<One> {
  let own: Own<One> | undefined
  let list: List<One> = []
  // Reading and writing wait for each other: what is read then lacks what is not stored yet, and nothing else.
  let turn = Promise.resolve()

  const nameOf = (user: string) => `${kind}:${user}`
  const inTurn = (act: () => Promise<void>) => (turn = turn.then(act))

  /** What of it can be read; the rest, which another version of the console may have written, stays as it is. */
  function sorted(value: unknown): { list: List<One>; rest: List<unknown> } {
    const entries: List<unknown> = Array.isArray(value) ? value : [value]
    const parsed = entries.map(entry => z.safeParse(one, entry))
    return {
      list: parsed.flatMap(({ success, data }) => (success ? [data] : [])),
      rest: entries.filter((_, at) => !parsed[at]?.success),
    }
  }
  function update(): void {
    const next = own ? made(own.changes, own.stored) : []
    // Read anew and still the same, nothing need follow.
    if (JSON.stringify(next) === JSON.stringify(list)) return
    list = next
    shown(list)
  }
  const read = (of: Own<One>) =>
    inTurn(async () => {
      const then = await readLarge(nameOf(of.user))
      if (then !== undefined) of.stored = sorted(then).list
      of.awaited = undefined
      update()
    })
  const write = (of: Own<One>) =>
    inTurn(async () => {
      const { changes } = of
      // Those that were made meanwhile were written with the first of them.
      if (changes.length === 0) return
      let next = of.stored
      const written = await changeLarge(nameOf(of.user), then => {
        const { list: before, rest } = then === undefined ? { list: of.stored, rest: [] } : sorted(then)
        next = made(changes, before)
        return [...next, ...rest]
      })
      if (!written) return
      of.stored = next
      of.changes = of.changes.slice(changes.length)
      update()
    })

  followLarge(nameOf(''), name => {
    if (own && name === nameOf(own.user)) void read(own)
  })

  return {
    async show(user) {
      const other = user !== own?.user
      if (other) {
        own = user === undefined ? undefined : { user, awaited: undefined, stored: [], changes: [] }
        update()
      }
      if (!own) return
      const reading = read(own)
      if (other) own.awaited = inTime(reading)
      await reading
    },
    awaited: () => own?.awaited,
    async change(by) {
      const of = own
      if (!of) return false
      of.changes = [...of.changes, by]
      update()
      await inTime(write(of))
      return !of.changes.includes(by)
    },
  }
}
