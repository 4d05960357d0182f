/**
 * A person's scripts: sequences of commands saved under a name. They are work, not a state of the console, so they
 * outlive logging out, and are shown to nobody but the account that saved them.
 */
import { proxy, ref } from 'valtio'
import * as z from 'zod/mini'
import { readLarge, writeLarge } from './persist.ts'
import type { Step } from './recording.ts'

export const mostSteps = 50
export const longestName = 60

/** As it is written down; `go_on`: it goes on after a failure. */
export const Script = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(longestName)),
  go_on: z._default(z.boolean(), false),
  steps: z
    .array(
      z.strictObject({
        command: z.string().check(z.minLength(1), z.maxLength(100)),
        input: z._default(z.record(z.string(), z.json()), {}),
        ask: z._default(z.array(z.string()), []),
        names: z.optional(z.record(z.string(), z.string())),
      }),
    )
    .check(z.minLength(1), z.maxLength(mostSteps)),
})
export interface Script {
  readonly name: string
  readonly go_on: boolean
  readonly steps: readonly Step[]
}
export interface SavedScript extends Script {
  /** Its command's, which keeps its keys when it is renamed. */
  readonly id: string
}
const Stored = z.array(z.extend(Script, { id: z.string() }))

interface Scripts {
  /** Whose they are; undefined while nobody is signed in or they are being read. */
  user: string | undefined
  /** In the order in which they were saved. */
  list: readonly SavedScript[]
}
export const scripts = proxy<Scripts>({ user: undefined, list: [] })

const storedAs = (user: string) => `scripts:${user}`

/** What is stored; undefined where nothing ever was, or the storage does not say. */
async function read(user: string): Promise<readonly SavedScript[] | undefined> {
  return z.safeParse(Stored, await readLarge(storedAs(user))).data
}

/** Who is to be shown theirs; an answer for someone else comes too late. */
let wanted: string | undefined
/** One change after another, so that none takes away what another has brought. */
let changing: Promise<unknown> = Promise.resolve()

function show(user: string, list: readonly SavedScript[]): void {
  if (wanted !== user) return
  // Read anew and still the same, nothing need follow.
  if (scripts.user === user && JSON.stringify(list) === JSON.stringify(scripts.list)) return
  Object.assign(scripts, { user, list: ref([...list]) })
}

/** Shows those of `user`, as they are stored now; none where nobody is signed in. */
export async function showScripts(user: string | undefined): Promise<void> {
  wanted = user
  if (scripts.user !== user) Object.assign(scripts, { user: undefined, list: [] })
  if (user === undefined) return
  const list = await read(user)
  show(user, list ?? scripts.list)
}

/** Changes what is stored now, which another tab may have changed since it was read. */
export function changeScripts(change: (list: readonly SavedScript[]) => readonly SavedScript[]): Promise<void> {
  const user = wanted
  const changed = changing.then(async () => {
    if (user === undefined) return
    // A browser that keeps nothing has them until the page goes away.
    const list = change((await read(user)) ?? (scripts.user === user ? scripts.list : []))
    await writeLarge(storedAs(user), list)
    show(user, list)
  })
  changing = changed.catch(() => undefined)
  return changed
}
