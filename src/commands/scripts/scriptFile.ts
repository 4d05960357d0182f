/** The file format of exported scripts. */
import * as z from 'zod/mini'
import { issueMessage } from '../../domain/lib/issues.ts'
import { parseJson } from '../../domain/lib/parseJson.ts'
import { Script, type SavedScript } from '../../store/scripts/scripts.ts'
import { problemsOf } from './steps.ts'

const maxScripts = 200
const ScriptFile = z.strictObject({
  permeate: z.literal('scripts'),
  version: z.literal(1),
  scripts: z.array(z.unknown()).check(z.minLength(1), z.maxLength(maxScripts)),
})

/** A script in a file. Its id is that of its command, so that exported keys fit; files may lack it. */
const FileScript = z.extend(Script, { id: z.optional(z.string().check(z.regex(/^[\w-]{1,40}$/))) })
export type FileScript = Script & { readonly id?: string | undefined }

export const formatScripts = (list: readonly SavedScript[]): string =>
  JSON.stringify({ permeate: 'scripts', version: 1, scripts: list }, null, 2)

/** Returns the scripts of a file, or all problems that prevent its import. `present` are the already saved scripts. */
export function parseScripts(
  text: string,
  present: readonly SavedScript[],
): { scripts: readonly FileScript[] } | { problems: readonly string[] } {
  const file = z.safeParse(ScriptFile, parseJson(text), { reportInput: true })
  if (!file.success)
    return {
      problems: [`This is not a script file: ${file.error.issues.map(issue => issueMessage(issue)).join(', ')}`],
    }
  const nameConflicts = new Map(
    present.map(({ name }) => [name.toLowerCase(), 'a script with this name already exists']),
  )
  const parsed = file.data.scripts.map((one, index) => {
    const { data, error } = z.safeParse(FileScript, one, { reportInput: true })
    const label = `Script ${index + 1}${data ? ` “${data.name}”` : nameIn(one)}`
    if (!data) return { problems: error.issues.map(issue => `${label}: ${issueMessage(issue)}`) }
    const conflict = nameConflicts.get(data.name.toLowerCase())
    nameConflicts.set(data.name.toLowerCase(), `script ${index + 1} has the same name`)
    const wrong = data.steps.flatMap((step, index) => problemsOf(step).map(problem => `step ${index + 1}: ${problem}`))
    return {
      // The names in a file may not be those of its ids.
      script: { ...data, steps: data.steps.map(({ names: _, ...step }) => step) },
      problems: [...(conflict ? [conflict] : []), ...wrong].map(problem => `${label}: ${problem}`),
    }
  })
  const problems = parsed.flatMap(one => one.problems)
  return problems.length > 0 ? { problems } : { scripts: parsed.flatMap(({ script }) => script ?? []) }
}

/** Returns the quoted name of an invalid script, or an empty text if it has none. */
function nameIn(one: unknown): string {
  const { data } = z.safeParse(z.object({ name: z.string() }), one)
  return data ? ` “${data.name.slice(0, 60)}”` : ''
}
