/** The help at each level, from the contract. */
import type { Endpoint } from '../src/api/contract/endpoint.ts'
import { actionOptions } from './action.ts'
import { actions, deviceCommands, type DeviceCommand } from './catalogue.ts'
import { deviceCommandOptions } from './deviceCommand.ts'
import type { Option } from './options.ts'
import { typedName } from './words.ts'

/** Lines of names with what they are. */
function glossary(entries: readonly (readonly [name: string, text: string])[]): string[] {
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`.trimEnd())
}

const typed = ({ name, placeholder }: Option) => (placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`)
const optionLines = (options: readonly Option[]) =>
  options.map(option => `  ${typed(option)}${option.isRequired ? '  (required)' : ''}`)

const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', `${title}:`, ...lines])

export const programHelp = (): string[] => [
  'Usage: permeate COMMAND [options]              a command for devices, which becomes a job',
  '       permeate RESOURCE ACTION [ID] [options]',
  ...section('Commands', glossary([...deviceCommands].map(([name, { endpoint }]) => [name, endpoint.summary]))),
  ...section(
    'Resources',
    glossary([...actions].map(([name, of]) => [name, [...of.keys(), ...ownActions(name)].join(', ')])),
  ),
  ...section('Options of all calls', [
    '  --json       JSON, a line for each row',
    '  --url URL    the server; otherwise PERMEATE_URL',
    '  --help       what a command, a resource or an action takes',
  ]),
  ...section('Environment', [
    '  PERMEATE_URL  the address of the server',
    '  PERMEATE_KEY  an API key, from your profile in the console',
  ]),
  ...section('Exit codes', [
    '  0 done   1 failed for some devices, or refused   2 wrong usage   3 not signed in or forbidden   4 no connection',
  ]),
]

/** Actions that are not a call of the contract. */
export const ownActions = (resource: string): readonly string[] => (resource === 'jobs' ? ['watch'] : [])

export const resourceHelp = (resource: string): string[] => [
  `Usage: permeate ${resource} ACTION [options]`,
  ...section(
    'Actions',
    glossary([
      ...[...actions.get(resource)!].map(([name, { summary }]) => [name, summary] as const),
      ...ownActions(resource).map(name => [name, 'Show the progress of a job until it has ended.'] as const),
    ]),
  ),
]

export function actionHelp(resource: string, action: string, endpoint: Endpoint): string[] {
  const { positionals, all, columns } = actionOptions(endpoint)
  const names = positionals.map(name => typedName(name).toUpperCase())
  return [
    ['Usage: permeate', resource, action, ...names, '[options]'].join(' '),
    endpoint.summary,
    ...section('Options', optionLines(all.filter(option => !columns.includes(option)))),
    ...section('Search by a column', optionLines(columns)),
  ]
}

export function commandHelp(name: string, command: DeviceCommand): string[] {
  const { input, policy, job, target, all } = deviceCommandOptions(command)
  const chosen = target.all.filter(option => !target.columns.includes(option))
  const others = all.filter(option => ![...input, ...policy, ...job, ...target.all].includes(option))
  return [
    `Usage: permeate ${name} [options]`,
    command.endpoint.summary,
    ...section('Values', optionLines(input)),
    ...section('Devices', optionLines([...chosen, ...job])),
    ...section('Devices by a column', optionLines(target.columns)),
    ...section('Policy', optionLines(policy)),
    ...section('Other options', optionLines(others)),
  ]
}
