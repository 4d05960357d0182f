import type { CommandId } from '../../core/commandId.ts'
import type { Surface } from '../../core/presentation.ts'
import { commandsOn } from '../../core/registry.ts'
import { CommandButton, type ButtonProps } from './CommandButton.tsx'

interface Props {
  on: Surface
  /** The props of single buttons. */
  overrides?: Readonly<Partial<Record<CommandId, ButtonProps>>>
}

/** The commands of a surface as icons. Smaller than SurfaceButtons, for what shows with the first rows. */
export function IconButtons({ on, overrides }: Props) {
  const overrideOf: Readonly<Record<string, ButtonProps | undefined>> | undefined = overrides
  return commandsOn(on).map(command => (
    <CommandButton key={command.id} command={command} iconOnly {...overrideOf?.[command.id]} />
  ))
}
