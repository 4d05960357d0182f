/** Saving, deleting and importing scripts. */
import { uniqueId } from '../../domain/uniqueId.ts'
import { preferences } from '../../store/preferences.ts'
import { recording } from '../../store/scripts/recording.ts'
import { changeScripts, scripts, type SavedScript, type Script } from '../../store/scripts/scripts.ts'
import { InvalidInput } from '../core/invalidInput.ts'
import { withStorageWarning } from '../core/wording.ts'
import { setSteps } from './recorder.ts'
import { commandIdOf } from './scriptCommand.ts'
import { parseScripts } from './scriptFile.ts'
import { problemsOf } from './steps.ts'

const newId = (): string => uniqueId().slice(0, 8)

/** Saves the script under `id`, or as a new one, which ends a recording. Rejects with InvalidInput. */
export async function saveScript(id: string | undefined, { name, go_on, steps }: Script): Promise<string> {
  const same = scripts.list.find(one => one.id !== id && one.name.toLowerCase() === name.toLowerCase())
  if (same) throw new InvalidInput({ name: `A script “${same.name}” already exists` })
  const [problem] = steps.flatMap((step, index) => problemsOf(step).map(wrong => `Step ${index + 1}: ${wrong}`))
  if (problem !== undefined) throw new InvalidInput({ steps: problem })
  const saved: SavedScript = { id: id ?? newId(), name, go_on, steps }
  const stored = await changeScripts(list =>
    list.some(one => one.id === id) ? list.map(one => (one.id === id ? saved : one)) : [...list, saved],
  )
  if (id === undefined && recording.steps) setSteps(undefined)
  return withStorageWarning(stored, `Saved “${name}”. It is now a command`)
}

export async function deleteScript({ id, name }: SavedScript): Promise<string> {
  const stored = await changeScripts(list => list.filter(one => one.id !== id))
  delete preferences.keys[commandIdOf({ id })]
  return withStorageWarning(stored, `Deleted “${name}”`)
}

/** Imports all scripts of a file, or none: it then rejects with InvalidInput, which has a line for each problem. */
export async function importScripts(text: string): Promise<string> {
  const parsed = parseScripts(text, scripts.list)
  if ('problems' in parsed) throw new InvalidInput({ file: parsed.problems.join('\n') })
  const taken = new Set(scripts.list.map(({ id }) => id))
  const imported = parsed.scripts.map(script => {
    // Keys of its command stay those of the script in another browser.
    const id = script.id === undefined || taken.has(script.id) ? newId() : script.id
    taken.add(id)
    return { ...script, id }
  })
  const stored = await changeScripts(list => [...list, ...imported])
  const count = imported.length
  return withStorageWarning(stored, `Imported ${count} ${count === 1 ? 'script' : 'scripts'}`)
}
