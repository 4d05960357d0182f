/** Exports and imports the person's keys as a JSON file, as a backup or for another browser. */
import * as z from 'zod/mini'
import { parseJson } from '../../domain/lib/parseJson.ts'
import { keysPattern, preferences } from '../../store/preferences.ts'
import { rebind, reservedKeysReason } from './conflicts.ts'
import { defaultKeysOf } from './bindings.ts'
import { findCommand } from '../core/registry.ts'

/** Returns the file with all keys that differ from the defaults. */
export const keyFile = (): Blob =>
  new Blob([JSON.stringify({ permeate: 'keys', keys: preferences.keys }, null, 2)], { type: 'application/json' })

const KeyFile = z.object({
  permeate: z.literal('keys'),
  keys: z.record(z.string(), z.array(z.string().check(z.regex(keysPattern)))),
})
/**
 * Imports an exported file, without unknown commands and reserved keys. Returns the message. Throws for any other file.
 */
export function importKeys(text: string): string {
  const { data } = z.safeParse(KeyFile, parseJson(text))
  if (!data) throw new Error('This is not a file of exported keys')
  const imported = Object.entries(data.keys).flatMap(([id, keys]) => {
    const command = findCommand(id)
    if (!command) return []
    const defaults = defaultKeysOf(command)
    const allowed = keys.filter(one => defaults.includes(one) || reservedKeysReason(one) === undefined)
    // No keys is a valid choice, but a command whose keys are all reserved keeps its own.
    return keys.length > 0 && allowed.length === 0 ? [] : [{ id, keys: allowed }]
  })
  preferences.keys = {}
  for (const { id, keys } of imported) rebind(id, keys)
  return `Imported the keys of ${imported.length} ${imported.length === 1 ? 'command' : 'commands'}`
}
