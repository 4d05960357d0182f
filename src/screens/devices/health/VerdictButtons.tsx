import type { Finding } from '../../../api/contract/findings.ts'
import { itemOf } from '../../../api/lists.ts'
import { commandOf } from '../../../commands/core/registry.ts'
import { Icon } from '../../../commands/surfaces/buttons/Icon.tsx'
import { runCommand } from '../../../commands/surfaces/run/run.ts'

const commands = ['finding.confirm', 'finding.confirmCause', 'finding.dismiss', 'finding.shelve'] as const

/**
 * What a person can say of a finding where it is read. The keys of these commands work in the list of findings only, so none
 * are shown. `onAsk` is called before a command asks for something.
 */
export function VerdictButtons({ finding, onAsk }: { finding: Finding; onAsk?: () => void }) {
  const { state, verdict, cause } = finding
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {commands.map(id => {
        const command = commandOf(state === 'shelved' && id === 'finding.shelve' ? 'finding.unshelve' : id)
        const isConfirmed = id === 'finding.confirm' && verdict === cause
        return (
          <button
            key={id}
            type="button"
            data-command={command.id}
            className="btn !h-7"
            aria-pressed={id === 'finding.confirm' ? isConfirmed : undefined}
            onClick={() => {
              if (command.fields.length > 0) onAsk?.()
              void runCommand(command, { targets: [itemOf('findings', finding)] })
            }}
          >
            {command.icon && <Icon name={command.icon} />}
            {isConfirmed ? 'Confirmed' : command.title}
          </button>
        )
      })}
    </div>
  )
}
