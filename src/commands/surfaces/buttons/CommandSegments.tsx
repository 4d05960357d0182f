import { useId } from 'react'
import { SegmentedControl } from '../../../ui/controls.tsx'
import type { Surface } from '../../core/presentation.ts'
import { commandsOn } from '../../core/registry.ts'
import { runCommand } from '../run/run.ts'

interface Props {
  /** The surface whose commands are the segments. */
  readonly on: Surface
  /** The accessible name. */
  readonly label: string
  /** The id of the command whose choice is in effect. */
  readonly value: string
  readonly nameOf: (command: string) => string
}

/** A segmented control of commands that exclude each other, such as the ranges of a chart. */
export function CommandSegments({ on, label, value, nameOf }: Props) {
  const id = useId()
  const commands = commandsOn(on)
  return (
    <>
      <span id={id} className="sr-only">
        {label}
      </span>
      <SegmentedControl
        labelId={id}
        options={commands.map(({ id: command }) => ({ value: command, name: nameOf(command), command }))}
        value={value}
        onChange={chosen => {
          const command = commands.find(each => each.id === chosen)
          if (command) void runCommand(command)
        }}
      />
    </>
  )
}
