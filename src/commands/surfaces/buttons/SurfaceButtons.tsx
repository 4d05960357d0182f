import { Fragment, type ComponentProps, type ReactNode } from 'react'
import type { CommandId } from '../../core/commandId.ts'
import type { Surface } from '../../core/presentation.ts'
import { commandsOn } from '../../core/registry.ts'
import type { Command } from '../../core/types.ts'
import { CommandButton } from './CommandButton.tsx'

type Look = Omit<ComponentProps<typeof CommandButton>, 'command'>

/** Overrides for single commands: button props, another control, or `false` to hide the command. */
export type Looks = Readonly<Partial<Record<CommandId, Look | ((command: Command) => ReactNode) | false>>>

interface Props extends Look {
  on: Surface
  looks?: Looks
}

/** Shows the commands of a surface as buttons, in the order of their definitions. Other props apply to all buttons. */
export function SurfaceButtons({ on, looks = {}, ...all }: Props) {
  const lookOf: Readonly<Record<string, Looks[CommandId]>> = looks
  return commandsOn(on).map(command => {
    const look = lookOf[command.id]
    if (look === false) return null
    if (typeof look === 'function') return <Fragment key={command.id}>{look(command)}</Fragment>
    return <CommandButton key={command.id} command={command} {...all} {...look} />
  })
}
