/** Scripts as a file: to keep, or to take to another browser or another person. */
import * as z from 'zod/mini'
import { issueMessage } from '../../api/contract/issues.ts'
import { Script, type SavedScript } from '../../store/scripts.ts'
import { problemsOf } from './steps.ts'

const maxScripts = 200
const ScriptFile = z.strictObject({
  permeate: z.literal('scripts'),
  version: z.literal(1),
  scripts: z.array(z.unknown()).check(z.minLength(1), z.maxLength(maxScripts)),
})

export const scriptFile = (list: readonly SavedScript[]): string =>
  JSON.stringify({ permeate: 'scripts', version: 1, scripts: list.map(({ id: _, ...script }) => script) }, null, 2)

/** What is in a file, or all that is wrong with it: then none of it is taken. */
export function readScripts(
  text: string,
  present: readonly SavedScript[],
): { scripts: readonly Script[] } | { problems: readonly string[] } {
  const file = z.safeParse(ScriptFile, parsed(text), { reportInput: true })
  if (!file.success)
    return {
      problems: [`This is not a script file: ${file.error.issues.map(issue => issueMessage(issue)).join(', ')}`],
    }
  const taken = new Map(present.map(({ name }) => [name.toLowerCase(), 'a script with this name already exists']))
  const read = file.data.scripts.map((one, index) => {
    const { data, error } = z.safeParse(Script, one, { reportInput: true })
    const called = `Script ${index + 1}${data ? ` “${data.name}”` : nameIn(one)}`
    if (!data) return { problems: error.issues.map(issue => `${called}: ${issueMessage(issue)}`) }
    const duplicate = taken.get(data.name.toLowerCase())
    taken.set(data.name.toLowerCase(), `script ${index + 1} has the same name`)
    const wrong = data.steps.flatMap((step, at) => problemsOf(step).map(problem => `step ${at + 1}: ${problem}`))
    return {
      script: data,
      problems: [...(duplicate ? [duplicate] : []), ...wrong].map(problem => `${called}: ${problem}`),
    }
  })
  const problems = read.flatMap(one => one.problems)
  return problems.length > 0 ? { problems } : { scripts: read.flatMap(({ script }) => script ?? []) }
}

/** What it calls itself, where that can be read. */
function nameIn(one: unknown): string {
  const { data } = z.safeParse(z.object({ name: z.string() }), one)
  return data ? ` “${data.name.slice(0, 60)}”` : ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
