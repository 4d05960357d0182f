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

/** Whether a command is a script: perhaps one that is not imported yet, or that of another person in this browser. */
const isScript = (id: string): boolean => id.startsWith('script.')

/**
 * Imports an exported file, without unknown commands and reserved keys. Keys of scripts that do not exist here are kept.
 * Returns the message. Throws for any other file.
 */
export function importKeys(text: string): string {
  const { data } = z.safeParse(KeyFile, parseJson(text))
  if (!data) throw new Error('This is not a file of exported keys')
  const entries = Object.entries(data.keys)
  const imported = entries.flatMap(([id, keys]) => {
    const command = findCommand(id)
    if (!command && !isScript(id)) return []
    const defaults = command ? defaultKeysOf(command) : []
    const allowed = keys.filter(one => defaults.includes(one) || reservedKeysReason(one) === undefined)
    // No keys is a valid choice, but a command whose keys are all reserved keeps its own.
    return keys.length > 0 && allowed.length === 0 ? [] : [{ id, keys: allowed }]
  })
  const isUnknownScript = (id: string) => isScript(id) && !findCommand(id)
  preferences.keys = Object.fromEntries(Object.entries(preferences.keys).filter(([id]) => isUnknownScript(id)))
  for (const { id, keys } of imported) {
    if (isUnknownScript(id)) preferences.keys[id] = keys
    else rebind(id, keys)
  }
  const leftOut = entries.length - imported.length
  const rest = leftOut > 0 ? `. Left out, as unknown or reserved by the browser: ${leftOut}` : ''
  return `Imported the keys of ${imported.length} ${imported.length === 1 ? 'command' : 'commands'}${rest}`
}
