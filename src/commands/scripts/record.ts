/** Recording: what is given while it goes on becomes the steps of a script. Secrets and files never do. */
import { ref } from 'valtio'
import { subscribe } from 'valtio/vanilla'
import toast from 'react-hot-toast/headless'
import { maxSteps } from '../../store/scripts.ts'
import { preferences } from '../../store/preferences.ts'
import { persistRecording } from '../../store/persistRecording.ts'
import { recording, type Step } from '../../store/recording.ts'
import { session } from '../../store/session.ts'
import { withUnit, type Search } from '../../domain/lists/amountSearch.ts'
import { columnsOf } from '../../api/lists.ts'
import { findCommand } from '../core/registry.ts'
import type { Command } from '../core/types.ts'
import { currentContext } from '../core/context.ts'
import { controlOf } from '../core/fields.ts'
import { observeRuns } from '../core/runObserver.ts'
import { passesUnheard, notRecordableReason } from './steps.ts'

/** Goes on recording after a reload, and stops when someone else signs in. */
export function followRecording(): void {
  persistRecording()
  let recorder = session.userId
  subscribe(session, () => {
    // Another tab may have signed somebody else in.
    if (session.userId !== recorder) recording.steps = undefined
    recorder = session.userId
  })
  observeRuns((command, input) => {
    const step = stepOf(command, input)
    if (!step) return () => undefined
    setSteps([...(recording.steps ?? []), step])
    void name(step)
    // In the order in which they were given, not in that in which they end; what came to nothing is no step.
    return done => {
      if (!done) setSteps(recording.steps?.filter(one => keyOf(one) !== keyOf(step)))
    }
  })
}

export const setSteps = (steps: readonly Step[] | undefined): void =>
  void (recording.steps = steps && recording.steps ? ref([...steps]) : undefined)

export function startRecording(): void {
  recording.steps = ref([])
}

/** Which of the recorded ones it is, also after it has been given names. */
const keys = new WeakMap<Step, symbol>()
function keyOf(step: Step): symbol {
  const key = keys.get(step) ?? Symbol(step.command)
  keys.set(step, key)
  return key
}

function stepOf(command: Command, input: unknown): Step | undefined {
  if (!recording.steps || passesUnheard(command)) return undefined
  const reason =
    notRecordableReason(command) ??
    (recording.steps.length >= maxSteps ? `a script can have at most ${maxSteps} steps` : undefined)
  if (reason) {
    toast(`“${command.title}” is not recorded: ${reason}`)
    return undefined
  }
  // As JSON, because that is how it is kept: what is undefined is left out.
  const given = { command: command.id, input: JSON.parse(JSON.stringify(input ?? {})) as Step['input'], ask: [] }
  if (command.id === 'list.selectAll') return selectsBySearch() ?? given
  if (command.id !== 'select.search') return given
  // The units that are chosen then may be others.
  return { ...given, input: withUnit(given.input as Step['input'] & Search, preferences.units) }
}

/** All that match, as the search that finds them: when the script is run, another one may stand in the list, or none. */
function selectsBySearch(): Step | undefined {
  const { list } = currentContext()
  if (!list || list.state.search === '') return undefined
  const { column = columnsOf(list.entity).search, operator, search } = withUnit(list.state, preferences.units)
  return { command: 'select.search', input: { column, operator, search }, ask: [] }
}

/** Notes what a person calls the values that are ids, as far as they are found at once. */
async function name(step: Step): Promise<void> {
  const fields = findCommand(step.command)?.fields ?? []
  const searched = fields.filter(
    field => controlOf(field).kind === 'search' && (step.input[field.name] ?? undefined) !== undefined,
  )
  if (searched.length === 0) return
  const pairs = await Promise.all(
    searched.map(async ({ name: field, choices }) => {
      const value = step.input[field]
      const options = (await choices?.(currentContext(), '', AbortSignal.timeout(5000))) ?? []
      const wanted = new Set(Array.isArray(value) ? value : [value])
      return [
        field,
        options
          .filter(option => wanted.has(option.value))
          .map(option => option.name)
          .join(', '),
      ] as const
    }),
  ).catch(() => [])
  const names = Object.fromEntries(pairs.filter(([, found]) => found !== ''))
  if (Object.keys(names).length === 0) return
  setSteps(
    recording.steps?.map(one => {
      if (keyOf(one) !== keyOf(step)) return one
      const named = { ...one, names }
      keys.set(named, keyOf(step))
      return named
    }),
  )
}
