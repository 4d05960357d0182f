import { useEffect, useState } from 'react'
import { useUnits } from '../../../store/preferences.ts'
import type { Step } from '../../../store/scripts/recording.ts'
import { stepText } from '../../scripts/steps.ts'
import { withNames } from '../../scripts/valueNames.ts'

/** Shows the arguments and the policy of a step, ids by their current names once these are known. */
export function StepText({ step }: { step: Step }) {
  const units = useUnits()
  const [found, setFound] = useState<Pick<Step, 'command' | 'input' | 'names'>>()
  const { command, input } = step
  useEffect(() => {
    let isCurrent = true
    void withNames({ command, input, ask: [] }).then(named => {
      if (isCurrent) setFound(named)
    })
    return () => void (isCurrent = false)
  }, [command, input])
  const names = found?.command === command && found.input === input ? found.names : undefined
  return (
    <span className="break-words text-ink2">{stepText({ ...step, names: { ...step.names, ...names } }, units)}</span>
  )
}
