import { Fragment, type ReactNode } from 'react'
import type { CommandId, InputOf } from '../../core/commandId.ts'
import type { Surface } from '../../core/presentation.ts'
import { commandsOn } from '../../core/registry.ts'
import type { Command } from '../../core/types.ts'
import { CommandButton, type ButtonProps } from './CommandButton.tsx'

type ButtonOverride<Input> = (ButtonProps & { input?: Input }) | ((command: Command) => ReactNode) | false

/** Overrides for single commands: button props and the command's input, another control, or `false` to hide the command. */
export type ButtonOverrides = { readonly [Id in CommandId]?: ButtonOverride<InputOf<Id>> }

interface Props extends ButtonProps {
  on: Surface
  overrides?: ButtonOverrides
}

/** Shows the commands of a surface as buttons, in the order of their definitions. Other props apply to all buttons. */
export function SurfaceButtons({ on, overrides = {}, ...all }: Props) {
  const overrideOf: Readonly<Record<string, ButtonOverride<unknown> | undefined>> = overrides
  return commandsOn(on).map(command => {
    const override = overrideOf[command.id]
    if (typeof override === 'function') return <Fragment key={command.id}>{override(command)}</Fragment>
    return override !== false && <CommandButton key={command.id} command={command} {...all} {...override} />
  })
}
