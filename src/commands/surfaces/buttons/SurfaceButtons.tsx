import { Fragment, type ComponentProps, type ReactNode } from 'react'
import type { CommandId } from '../../core/commandId.ts'
import type { Surface } from '../../core/presentation.ts'
import { commandsOn } from '../../core/registry.ts'
import type { Command } from '../../core/types.ts'
import { CommandButton } from './CommandButton.tsx'

type Look = Omit<ComponentProps<typeof CommandButton>, 'command'>

/** What is particular about single commands: a look, another control, or `false` where one is left out just now. */
export type Looks = Readonly<Partial<Record<CommandId, Look | ((command: Command) => ReactNode) | false>>>

interface Props extends Look {
  on: Surface
  looks?: Looks
}

/** The commands of a surface as buttons, in the order of their definitions; the other props are the look of all. */
export function SurfaceButtons({ on, looks = {}, ...all }: Props) {
  const by: Readonly<Record<string, Looks[CommandId]>> = looks
  return commandsOn(on).map(command => {
    const look = by[command.id]
    if (look === false) return null
    if (typeof look === 'function') return <Fragment key={command.id}>{look(command)}</Fragment>
    return <CommandButton key={command.id} command={command} {...all} {...look} />
  })
}
