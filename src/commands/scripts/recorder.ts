/** The recorder: commands that run while it is on become steps of a script, except those with secrets or files. */
import { ref } from 'valtio'
import { subscribe } from 'valtio/vanilla'
import { maxSteps } from '../../store/scripts/scripts.ts'
import { preferences } from '../../store/preferences.ts'
import { persistRecording } from '../../store/scripts/persistRecording.ts'
import { recording, type Step } from '../../store/scripts/recording.ts'
import { session } from '../../store/session.ts'
import { withUnit, type Search } from '../../domain/lists/amountSearch.ts'
import { columnsOf } from '../../api/lists.ts'
import type { Command } from '../core/types.ts'
import { currentContext } from '../core/context.ts'
import { observeRuns } from '../core/runObserver.ts'
import { recordedList } from './stepList.ts'
import { isIgnoredByRecorder, notRecordableReason, policyProblem } from './steps.ts'

/** Starts the recorder. It resumes a recording after a reload, and discards it when another person signs in. */
export function startRecorder(): void {
  persistRecording()
  let userId = session.userId
  subscribe(session, () => {
    // Another person may have signed in in another tab.
    if (session.userId !== userId) recording.steps = undefined
    userId = session.userId
  })
  observeRuns((command, input, policy) => {
    const step = stepOf(command, input, policy)
    if (!step) return () => undefined
    setSteps([...(recording.steps ?? []), step])
    void addNames(step)
    // A step is added when its command starts, so that steps have that order, and removed if nothing was done.
    return done => {
      if (!done) setSteps(recording.steps?.filter(one => keyOf(one) !== keyOf(step)))
    }
  })
}

export const setSteps = (steps: readonly Step[] | undefined): void =>
  void (recording.steps = steps && recording.steps ? ref([...steps]) : undefined)

export function startRecording(): void {
  recording.steps = ref([])
  recording.skipped = undefined
}

/** The identity of each recorded step, which stays the same when names are added. */
const keys = new WeakMap<Step, symbol>()
function keyOf(step: Step): symbol {
  const key = keys.get(step) ?? Symbol(step.command)
  keys.set(step, key)
  return key
}

function stepOf(command: Command, input: unknown, policy = ''): Step | undefined {
  if (!recording.steps || isIgnoredByRecorder(command)) return undefined
  const given = policy === '' ? {} : { policy }
  const reason =
    notRecordableReason(command) ??
    policyProblem({ command: command.id, ...given }, Date.now()) ??
    (recording.steps.length >= maxSteps ? `a script can have at most ${maxSteps} steps` : undefined)
  if (reason) {
    recording.skipped = ref({ message: `“${command.title}” is not recorded: ${reason}` })
    return undefined
  }
  const list = recordedList(command, currentContext())
  // Converted through JSON, the format in which scripts are stored: undefined values are dropped.
  const step = {
    command: command.id,
    input: JSON.parse(JSON.stringify(input ?? {})) as Step['input'],
    ask: [],
    ...(list && { list }),
    ...given,
  }
  if (command.id === 'list.selectAll') return selectBySearch() ?? step
  if (command.id !== 'select.search') return step
  // Amounts are stored with their unit, because other units may be chosen when the script runs.
  return { ...step, input: withUnit(step.input as Step['input'] & Search, preferences.units) }
}

/**
 * Returns a step that selects by the list's current search, or undefined if there is none. It replaces "Select all that
 * match", because the list may have another search when the script runs.
 */
function selectBySearch(): Step | undefined {
  const { list } = currentContext()
  if (!list || list.state.search === '') return undefined
  const { column = columnsOf(list.entity).search, operator, search } = withUnit(list.state, preferences.units)
  return { command: 'select.search', input: { column, operator, search }, ask: [], list: list.entity }
}

/** Adds the displayed names of the ids in a step's input. */
async function addNames(step: Step): Promise<void> {
  const { withNames } = await import('./valueNames.ts')
  const namedStep = await withNames(step)
  if (namedStep.names === undefined) return
  keys.set(namedStep, keyOf(step))
  setSteps(recording.steps?.map(one => (keyOf(one) === keyOf(step) ? namedStep : one)))
}
