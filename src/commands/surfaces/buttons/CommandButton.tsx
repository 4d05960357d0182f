import { Kbd } from '../../../ui/Kbd.tsx'
import type { IconName } from '../../../domain/iconName.ts'
import type { Command, CommandWithInput } from '../../core/types.ts'
import { ariaKeys, keycaps } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'
import { undoText } from '../../jobs/undo.ts'
import { runCommand } from '../run/run.ts'
import { Icon } from './Icon.tsx'
import { useAvailability, useKeysOf, useLabel, useLeadsHere } from '../run/commandHooks.ts'

/** How a button looks, and what it does besides running its command. */
export interface ButtonProps {
  label?: string
  /** Another icon than the command's. */
  icon?: IconName
  primary?: boolean
  /** Hides the icon, to save space. */
  plain?: boolean
  /** Shows only the icon; the label becomes the accessible name. */
  iconOnly?: boolean
  /** Has the focus when its dialog opens, so that Enter runs it. */
  autoFocus?: boolean
  /** Shows under the button why the command is blocked. */
  explain?: boolean
  className?: string
  onRun?: () => void
}

interface Props<Input> extends ButtonProps {
  command: CommandWithInput<Input>
  /** The command's input; without it, the command prompts for its arguments. */
  input?: NoInfer<Input>
}

/** Shows the first keys of a command, if it has any. */
export function CommandKeys({ command }: { command: Command }) {
  const [keys] = useKeysOf(command)
  return keys ? <Kbd caps={keycaps(keys, isApple())} /> : null
}

/** A command as a button, with its key. A blocked command can be clicked too, and then shows the reason. */
export function CommandButton<Input = unknown>(props: Props<Input>) {
  const { command, primary, iconOnly, autoFocus, explain, className = '', onRun } = props
  const availability = useAvailability(command)
  const contextLabel = useLabel(command)
  const [keys] = useKeysOf(command)
  const isCurrent = useLeadsHere(command)
  if (availability.is === 'hidden') return null
  const label = props.label ?? contextLabel
  const icon = props.icon ?? command.icon
  const reason = availability.is === 'blocked' ? availability.reason : undefined
  const caps = autoFocus ? ['↵'] : keys && keycaps(keys, isApple())
  const isDangerous = command.danger && reason === undefined
  const look = iconOnly ? 'icon-btn' : `btn ${primary ? 'btn-primary' : isDangerous ? 'text-bad' : ''}`
  const button = (
    <button
      type="button"
      data-command={command.id}
      autoFocus={autoFocus}
      className={`${look} ${className}`}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={iconOnly ? label : undefined}
      aria-disabled={reason ? true : undefined}
      aria-keyshortcuts={ariaKeys(keys)}
      title={reason ?? (iconOnly ? `${label}${caps ? ` (${caps.join(' ')})` : ''}` : undoText(command))}
      onClick={() => {
        onRun?.()
        void runCommand(command, props.input === undefined ? {} : { input: props.input })
      }}
    >
      {icon && !props.plain && <Icon name={icon} />}
      {!iconOnly && (
        <>
          <span className="truncate">{label}</span>
          {caps && (
            <span className="btn-keys">
              <Kbd caps={caps} />
            </span>
          )}
        </>
      )}
    </button>
  )
  if (!explain) return button
  return (
    <div className="grid min-w-0 gap-1">
      {button}
      {reason && <p className="text-[11.5px] text-ink3">{reason}</p>}
    </div>
  )
}
