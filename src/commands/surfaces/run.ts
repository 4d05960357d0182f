import { execute, type Ending, type Given, type Host } from '../execute.ts'
import { noteUse } from '../recents.ts'
import { commandOf } from '../registry.ts'

let host: Host | undefined
/** Hands over the world in which commands run; done once, before anything is shown. */
export function setHost(next: Host): void {
  host = next
}

/** Runs a command by its id: what every button, key, form and menu calls. */
export async function run(id: string, given: Given = {}): Promise<Ending> {
  if (!host) return { is: 'stopped' }
  const command = commandOf(id)
  if (!command.keysOnly) noteUse(id, Date.now())
  return execute(host, command, given)
}
