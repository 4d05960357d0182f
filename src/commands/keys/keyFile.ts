/** The keys that a person chose, as a file: to keep, or to take to another browser. */
import * as z from 'zod/mini'
import { keysPattern, preferences } from '../../store/preferences.ts'
import { rebind, rebindRefusal } from './conflicts.ts'
import { ownKeysOf } from './bindings.ts'
import { findCommand } from '../core/registry.ts'

export const keyFile = (): Blob =>
  new Blob([JSON.stringify({ permeate: 'keys', keys: preferences.keys }, null, 2)], { type: 'application/json' })

const KeyFile = z.object({
  permeate: z.literal('keys'),
  keys: z.record(z.string(), z.array(z.string().check(z.regex(keysPattern)))),
})
/** Takes over what was exported; what this version does not know, or refuses, is left out. Says how many it took. */
export function takeKeys(text: string): string {
  const { data } = z.safeParse(KeyFile, parsed(text))
  if (!data) throw new Error('This is no file of keys')
  const taken = Object.entries(data.keys).flatMap(([id, keys]) => {
    const command = findCommand(id)
    if (!command) return []
    const own = ownKeysOf(command)
    const allowed = keys.filter(one => own.includes(one) || rebindRefusal(one) === undefined)
    // Without keys is a choice, but not where all that were chosen are refused.
    return keys.length > 0 && allowed.length === 0 ? [] : [{ id, keys: allowed }]
  })
  preferences.keys = {}
  for (const { id, keys } of taken) rebind(id, keys)
  return `The keys of ${taken.length} ${taken.length === 1 ? 'command are' : 'commands are'} taken over`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
