/** Scripts: sequences of commands saved under a name. */
import { proxy, ref } from 'valtio'
import * as z from 'zod/mini'
import { entities } from '../lists.ts'
import { createUserList } from '../userList.ts'
import type { Step } from './recording.ts'

export const maxSteps = 50
export const maxNameLength = 60

/** The stored and exported form of a script. `go_on`: continue after a failed step. */
export const Script = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(maxNameLength)),
  go_on: z._default(z.boolean(), false),
  steps: z
    .array(
      z.strictObject({
        command: z.string().check(z.minLength(1), z.maxLength(100)),
        input: z._default(z.record(z.string(), z.json()), {}),
        ask: z._default(z.array(z.string()), []),
        list: z.optional(z.enum(entities)),
        policy: z.optional(z.string().check(z.maxLength(500))),
        names: z.optional(z.record(z.string(), z.string())),
      }),
    )
    .check(z.minLength(1), z.maxLength(maxSteps)),
})
export interface Script {
  readonly name: string
  readonly go_on: boolean
  readonly steps: readonly Step[]
}
export interface SavedScript extends Script {
  /** The id of its command, so that a renamed script keeps its keys. */
  readonly id: string
}

export const scripts = proxy<{
  /** In the order in which they were saved. */
  list: readonly SavedScript[]
}>({ list: [] })

/** Loads a user's scripts, and changes them. */
export const { load: loadScripts, change: changeScripts } = createUserList<SavedScript>(
  'scripts',
  z.extend(Script, { id: z.string() }),
  list => (scripts.list = ref([...list])),
)
