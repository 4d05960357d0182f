import { Fragment, type ComponentProps, type ReactNode } from 'react'
import type { CommandId } from '../../core/commandId.ts'
import type { Surface } from '../../core/presentation.ts'
import { commandsOn } from '../../core/registry.ts'
import type { Command } from '../../core/types.ts'
import { CommandButton } from './CommandButton.tsx'

type ButtonProps = Omit<ComponentProps<typeof CommandButton>, 'command'>

/** Overrides for single commands: button props, another control, or `false` to hide the command. */
export type ButtonOverrides = Readonly<
  Partial<Record<CommandId, ButtonProps | ((command: Command) => ReactNode) | false>>
>

interface Props extends ButtonProps {
  on: Surface
  overrides?: ButtonOverrides
}

/** Shows the commands of a surface as buttons, in the order of their definitions. Other props apply to all buttons. */
export function SurfaceButtons({ on, overrides = {}, ...all }: Props) {
  const overrideOf: Readonly<Record<string, ButtonOverrides[CommandId]>> = overrides
  return commandsOn(on).map(command => {
    const override = overrideOf[command.id]
    if (override === false) return null
    if (typeof override === 'function') return <Fragment key={command.id}>{override(command)}</Fragment>
    return <CommandButton key={command.id} command={command} {...all} {...override} />
  })
}
