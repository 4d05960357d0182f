/** The command line: from its arguments to its exit code. */
import { actionOptions, runAction } from './action.ts'
import { generalOptions, ownOptions, readArguments, type Arguments } from './arguments.ts'
import { actions, deviceCommands } from './catalogue.ts'
import { openClient, type Client } from './client.ts'
import { deviceCommandOptions, runDeviceCommand } from './deviceCommand.ts'
import { exitCodes, Failure, usageError, type ExitCodeName } from './failure.ts'
import { actionHelp, commandHelp, ownActions, programHelp, resourceHelp } from './help.ts'
import type { Option } from './options.ts'
import type { Presentation } from './present.ts'
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'
import { watchJob } from './watch.ts'

export interface Environment {
  readonly PERMEATE_URL?: string | undefined
  readonly PERMEATE_KEY?: string | undefined
}

/** Something that can be run, by the words that were typed for it. */
interface Task {
  readonly options: readonly Option[]
  readonly help: () => readonly string[]
  readonly run: (given: Arguments, client: Client, presentation: Presentation) => Promise<ExitCodeName>
  /** The arguments behind its words. */
  readonly rest: readonly string[]
}

/** Runs the program and resolves with its exit code. Prints why it failed on standard error. */
export async function runProgram(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal,
): Promise<number> {
  try {
    return exitCodes[await perform(args, environment, terminal)]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    for (const line of error.message.split('\n')) terminal.say(printable(line))
    return exitCodes[error.exitCodeName]
  }
}

async function perform(args: readonly string[], environment: Environment, terminal: Terminal): Promise<ExitCodeName> {
  const task = taskOf(args)
  const given = readArguments(task.rest, task.options)
  if (given.isSet(ownOptions.help)) {
    for (const line of task.help()) terminal.print(line)
    return 'done'
  }
  const presentation = { terminal, isJson: given.isSet(ownOptions.json) }
  const client = openClient(given.textOf(ownOptions.url) ?? environment.PERMEATE_URL, environment.PERMEATE_KEY)
  return task.run(given, client, presentation)
}

/** A task that can only explain itself. */
const incomplete = (rest: readonly string[], help: () => readonly string[], missing: string): Task => ({
  options: generalOptions,
  help,
  rest,
  run: () => Promise.reject(usageError(missing)),
})

/** Finds what was typed. Throws a usage error for words that are unknown. */
function taskOf(args: readonly string[]): Task {
  const [first, second] = args
  if (first === undefined || first.startsWith('-'))
    return incomplete(args, programHelp, 'Which command? permeate --help lists them')
  const command = deviceCommands.get(first)
  if (command) {
    const options = deviceCommandOptions(command)
    return {
      options: options.all,
      help: () => commandHelp(first, command),
      rest: args.slice(1),
      run: (given, client, presentation) => {
        if (given.positionals.length > 0) throw usageError(`Unexpected: ${given.positionals.join(' ')}`)
        return runDeviceCommand(command, options, given, client, presentation)
      },
    }
  }
  const ofResource = actions.get(first)
  if (!ofResource) throw usageError(`Unknown command: ${first}. permeate --help lists them`)
  if (second === undefined || second.startsWith('-'))
    return incomplete(args.slice(1), () => resourceHelp(first), `Which action? permeate ${first} --help lists them`)
  const rest = args.slice(2)
  const endpoint = ofResource.get(second)
  if (endpoint) {
    const options = actionOptions(endpoint)
    return {
      options: options.all,
      help: () => actionHelp(first, second, endpoint),
      rest,
      run: (...call) => runAction(endpoint, options, ...call),
    }
  }
  if (ownActions(first).includes(second)) return watchTask(rest)
  if (first === 'devices' && deviceCommands.has(second)) throw usageError(`Type permeate ${second}, without devices`)
  throw usageError(`Unknown action: ${second}. permeate ${first} --help lists them`)
}

const watchTask = (rest: readonly string[]): Task => ({
  options: generalOptions,
  help: () => ['Usage: permeate jobs watch ID [--json]', 'Show the progress of a job until it has ended.'],
  rest,
  run: ({ positionals: [id, ...others] }, client, presentation) => {
    if (id === undefined || others.length > 0) throw usageError('Which job? permeate jobs list shows their ids')
    return watchJob(id, client, presentation)
  },
})
