/** Commands that change, export and import keys. Their implementation is loaded when first used. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { roles } from '../../domain/roles.ts'
import { overlay } from '../../store/overlays.ts'
import { preferences } from '../../store/preferences.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices, Needs } from '../core/types.ts'
import { nothing } from '../core/needs.ts'

const load = () => import('./conflicts.ts')
const commandChoices: Choices = async (context, query) => (await load()).bindableOptions(context, query)
const args = z.object({ command: withMeta(z.string(), { label: 'Command' }) })

const changedKeys: Needs<undefined> = () =>
  Object.keys(preferences.keys).length > 0 ? { target: undefined } : { blocked: 'No keys have been changed' }

const keyCommand = { group: 'view', icon: 'keyboard', recordable: false, roles, needs: nothing } as const
const keywords = ['shortcut', 'hotkey', 'rebind', 'bindings']

export const keyBindingCommands = [
  defineCommand({
    ...keyCommand,
    id: 'keys.change',
    title: 'Change keys of command',
    on: ['keySheet'],
    keywords,
    args,
    choices: { command: commandChoices },
    run(_, { command }) {
      overlay.keyRecorder = command
    },
  }),
  defineCommand({
    ...keyCommand,
    id: 'keys.rebind',
    title: 'Assign these keys to command',
    keysOnly: true,
    args: z.object({ command: z.string(), keys: z.array(z.string()) }),
    run: async (_, { command, keys }) => (await load()).rebind(command, keys),
  }),
  defineCommand({
    ...keyCommand,
    id: 'keys.clear',
    title: 'Remove keys from command',
    keywords,
    args,
    choices: { command: commandChoices },
    run: async (_, { command }) => (await load()).rebind(command, []),
  }),
  defineCommand({
    ...keyCommand,
    id: 'keys.reset',
    title: 'Reset keys of command',
    keywords,
    needs: changedKeys,
    args,
    choices: { command: commandChoices },
    run: async (_, { command }) => (await load()).reset(command),
  }),
  defineCommand({
    ...keyCommand,
    id: 'keys.resetAll',
    title: 'Reset all keys',
    on: ['keys'],
    icon: 'reset',
    keywords,
    needs: changedKeys,
    confirm: () => ({
      title: 'Reset all keys?',
      text: 'Every command gets its default keys back.',
      action: 'Reset all keys',
      type: undefined,
      danger: false,
    }),
    run() {
      preferences.keys = {}
      return 'All keys are reset to their defaults'
    },
  }),
  defineCommand({
    ...keyCommand,
    id: 'keys.export',
    title: 'Export keys',
    on: ['keys'],
    icon: 'download',
    keywords,
    needs: changedKeys,
    run: async (_target, _args, { save }) => save('permeate-keys.json', (await import('./keyFile.ts')).keyFile()),
  }),
  defineCommand({
    ...keyCommand,
    id: 'keys.import',
    title: 'Import keys',
    on: ['keys'],
    icon: 'upload',
    keywords,
    async run(_target, _args, { chooseFile }) {
      const file = await chooseFile('.json,application/json')
      return file && (await import('./keyFile.ts')).importKeys(await file.text())
    },
  }),
  defineCommand({
    ...keyCommand,
    id: 'keys.find',
    title: 'Search commands and keys',
    icon: 'search',
    keys: '/',
    screen: 'settings',
    keywords,
    run: (_target, _args, { focus }) => focus('keys-search'),
  }),
  defineCommand({
    id: 'view.bareKeys',
    title: 'Switch single keys on or off',
    group: 'view',
    icon: 'keyboard',
    keywords: ['keys without a modifier', 'shortcuts', 'accessibility', 'hotkeys'],
    roles,
    needs: nothing,
    run() {
      preferences.bareKeys = !preferences.bareKeys
      return preferences.bareKeys ? 'Single keys are on' : 'Single keys are off'
    },
  }),
]
