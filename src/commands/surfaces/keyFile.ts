/** The keys that a person chose, as a file: to keep, or to take to another browser. */
import * as z from 'zod/mini'
import { keysPattern, preferences } from '../../store/preferences.ts'
import { saveFile } from '../../ui/saveFile.ts'
import { refusal } from '../keyRules.ts'
import { commandWith } from '../all.ts'

export const saveKeys = (): void =>
  saveFile(
    'permeate-keys.json',
    JSON.stringify({ permeate: 'keys', keys: preferences.keys }, null, 2),
    'application/json',
  )

const KeyFile = z.object({
  permeate: z.literal('keys'),
  keys: z.record(z.string(), z.array(z.string().check(z.regex(keysPattern)))),
})
/** Takes over what was exported; what this version does not know, or refuses, is left out. Says how many it took. */
export function takeKeys(text: string): string {
  const { data } = z.safeParse(KeyFile, parsed(text))
  if (!data) throw new Error('This is no file of keys')
  preferences.keys = {}
  const known = Object.entries(data.keys).filter(
    ([id, keys]) => commandWith(id) !== undefined && keys.every(one => refusal(one) === undefined),
  )
  for (const [id, keys] of known) preferences.keys[id] = keys
  return `The keys of ${known.length} ${known.length === 1 ? 'command are' : 'commands are'} taken over`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
