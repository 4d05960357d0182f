import type { ReactNode } from 'react'
import type { Command } from '../../core/types.ts'
import { Icon } from '../buttons/Icon.tsx'
import { useAvailability } from '../run/commandHooks.ts'
import { runCommand } from '../run/run.ts'

/** A command as a button of a dialog. The primary one has the initial focus, so that Enter runs it. */
export function DialogCommand(props: { command: Command; primary?: boolean; children: ReactNode }) {
  const { command, primary = false } = props
  const availability = useAvailability(command)
  if (availability.is === 'hidden') return null
  const reason = availability.is === 'blocked' ? availability.reason : undefined
  return (
    <button
      type="button"
      data-command={command.id}
      className={`btn ${primary ? 'btn-primary' : ''}`}
      autoFocus={primary}
      aria-disabled={reason ? true : undefined}
      title={reason}
      onClick={() => void runCommand(command)}
    >
      {command.icon && <Icon name={command.icon} />}
      {props.children}
    </button>
  )
}
