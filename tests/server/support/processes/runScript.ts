/** Runs the commands for operators, as `npm run` does. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../../scripts/programs.ts'

export interface ScriptOutcome {
  /** The exit code. */
  readonly code: number
  /** What it wrote to standard output. */
  readonly out: string
  /** What it wrote to standard error. */
  readonly err: string
}

export type Script = 'audit' | 'backup' | 'device' | 'restore' | 'second-factor'
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<Script, string> }

/** Runs a command of package.json with these arguments; `settings` are added to the environment. */
export const runScript = (
  script: Script,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<ScriptOutcome> =>
  new Promise(resolve => {
    const [, ...command] = scripts[script].split(' ')
    const env = { ...process.env, ...settings }
    execFile(process.execPath, [...command, ...args], { cwd: root, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })
