/** Commands that record, edit, save, import and export scripts. The code behind them is loaded on first use. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { roles } from '../../domain/roles.ts'
import { overlay } from '../../store/overlays.ts'
import { recording } from '../../store/scripts/recording.ts'
import { Script, scripts, type SavedScript } from '../../store/scripts/scripts.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices, Needs } from '../core/types.ts'
import { InvalidInput } from '../core/invalidInput.ts'
import { nothing } from '../core/needs.ts'
import { filterByName } from '../arguments/rank.ts'
import { setSteps, startRecording } from './recorder.ts'
import { scriptRuns } from './running.ts'
import type { SavedScriptInvocation } from '../core/scriptInvocation.ts'

const load = () => import('./library.ts')

const scriptChoices: Choices = (_context, query) =>
  filterByName(query, scripts.list, ({ name }) => name).map(({ id, name, steps }) => ({
    value: id,
    name,
    detail: `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`,
  }))
const scriptArgument = withMeta(z.string(), { label: 'Script' })
const choosesScript = { args: z.object({ script: scriptArgument }), choices: { script: scriptChoices } }

const someScripts: Needs<readonly SavedScript[]> = () =>
  scripts.list.length > 0 ? { target: scripts.list } : { blocked: 'No script has been saved yet' }
const whileRecording: Needs<undefined> = () =>
  recording.steps ? { target: undefined } : { blocked: 'Nothing is being recorded' }

const stoppedScript: Needs<SavedScriptInvocation> = () =>
  scriptRuns.stopped && !scriptRuns.running ? { target: scriptRuns.stopped } : { blocked: 'No script has stopped' }
const runningScript: Needs<AbortController> = () =>
  scriptRuns.running ? { target: scriptRuns.running } : { blocked: 'No script is running' }

/** Returns the saved script with this id. Throws InvalidInput if it was deleted meanwhile, as another tab may do. */
function scriptOf(id: string): SavedScript {
  const script = scripts.list.find(one => one.id === id)
  if (!script) throw new InvalidInput({ script: 'This script does not exist' })
  return script
}

const scriptCommand = { group: 'scripts', icon: 'script', recordable: false, roles, needs: nothing } as const
const keywords = ['macro', 'sequence', 'automate']

export const scriptCommands = [
  defineCommand({
    ...scriptCommand,
    id: 'scripts.record',
    title: 'Record script',
    on: ['scripts'],
    icon: 'record',
    keys: 'shift+m',
    keywords: [...keywords, 'start', 'stop'],
    label: () => (recording.steps ? 'Stop recording and save script' : 'Record script'),
    run() {
      if (!recording.steps) {
        startRecording()
        return 'Recording. The commands that you run become steps of a script'
      }
      if (recording.steps.length > 0) {
        overlay.scripts = { view: 'edit' }
        return undefined
      }
      setSteps(undefined)
      return 'Nothing was recorded'
    },
  }),
  defineCommand({
    ...scriptCommand,
    id: 'scripts.discard',
    title: 'Discard recording',
    icon: 'close',
    keywords: [...keywords, 'cancel', 'stop'],
    needs: whileRecording,
    confirm: () => ({
      title: 'Discard recording?',
      text: `Its ${recording.steps?.length ?? 0} steps are deleted. Their changes stay.`,
      action: 'Discard recording',
      type: undefined,
      danger: true,
    }),
    run: () => setSteps(undefined),
  }),
  defineCommand({
    ...scriptCommand,
    ...choosesScript,
    id: 'scripts.edit',
    title: 'Edit script',
    icon: 'edit',
    keywords: [...keywords, 'steps', 'change', 'order'],
    needs: someScripts,
    run(_, { script }) {
      overlay.scripts = { view: 'edit', id: scriptOf(script).id }
    },
  }),
  defineCommand({
    ...scriptCommand,
    id: 'scripts.save',
    title: 'Save script',
    keysOnly: true,
    args: z.object({ id: z.optional(z.string()), script: Script }),
    run: async (_, { id, script }) => (await load()).saveScript(id, script),
  }),
  defineCommand({
    ...scriptCommand,
    id: 'scripts.rename',
    title: 'Rename script',
    icon: 'edit',
    keywords: [...keywords, 'name'],
    needs: someScripts,
    args: z.object({ script: scriptArgument, name: withMeta(Script.shape.name, { label: 'Name' }) }),
    choices: choosesScript.choices,
    run: async (_, { script: id, name }) => (await load()).saveScript(id, { ...scriptOf(id), name }),
  }),
  defineCommand({
    ...scriptCommand,
    ...choosesScript,
    id: 'scripts.delete',
    title: 'Delete script',
    icon: 'trash',
    keywords: [...keywords, 'remove'],
    danger: true,
    needs: someScripts,
    confirm: (_, { script }) => ({
      title: `Delete “${scriptOf(script).name}”?`,
      text: 'The script and its keys are deleted. Its changes stay.',
      action: 'Delete the script',
      type: undefined,
      danger: true,
    }),
    run: async (_, { script }) => (await load()).deleteScript(scriptOf(script)),
  }),
  defineCommand({
    ...scriptCommand,
    id: 'scripts.import',
    title: 'Import scripts',
    on: ['scripts'],
    icon: 'upload',
    keysOnly: true,
    args: z.object({ file: z.file() }),
    run: async (_, { file }) => (await load()).importScripts(await file.text()),
  }),
  defineCommand({
    ...scriptCommand,
    id: 'scripts.export',
    title: 'Export scripts',
    on: ['scripts'],
    icon: 'download',
    keywords: [...keywords, 'json', 'file', 'save'],
    needs: someScripts,
    args: z.object({ script: z.optional(scriptArgument) }),
    choices: choosesScript.choices,
    run: async (all, { script }, { save }) => {
      const exported = script === undefined ? all : [scriptOf(script)]
      const file = (await import('./scriptFile.ts')).formatScripts(exported)
      save('permeate-scripts.json', new Blob([file], { type: 'application/json' }))
    },
  }),
  defineCommand({
    ...scriptCommand,
    id: 'scripts.goOn',
    title: 'Resume script',
    icon: 'right',
    keywords: [...keywords, 'continue', 'go on', 'stopped', 'rest'],
    needs: stoppedScript,
    label: () => (scriptRuns.stopped ? `Resume “${scriptRuns.stopped.script.name}”` : 'Resume script'),
    delegates: true,
    run: (invocation, _, { script }) => script(invocation),
  }),
  defineCommand({
    ...scriptCommand,
    id: 'scripts.stop',
    title: 'Stop running script',
    icon: 'close',
    keywords: [...keywords, 'cancel'],
    needs: runningScript,
    run: controller => controller.abort(),
  }),
]
