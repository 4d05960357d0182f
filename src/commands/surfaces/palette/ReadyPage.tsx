import { Command as Menu } from 'cmdk'
import { countOf } from '../../core/wording.ts'
import type { ArgumentRequest } from './argumentPrompt.ts'
import { Icon } from '../buttons/Icon.tsx'

/** The last argument page, where no argument is missing: shows what Enter will run. */
export function ReadyPage({ request: { command, context }, onRun }: { request: ArgumentRequest; onRun: () => void }) {
  const targets = command.entity && command.group !== 'create' ? context.targets(command.entity).length : 0
  const preview = command.preview(context)
  return (
    <Menu.Item value="ready" data-command={command.id} className="palette-item" onSelect={onRun}>
      <Icon name="enter" />
      <span className={command.danger ? 'font-medium text-bad' : 'font-medium'}>
        {command.label(context)}
        {command.entity && targets > 0 && `: ${countOf(targets, command.entity)}`}
      </span>
      {preview && <span className="truncate text-ink3">{preview}</span>}
    </Menu.Item>
  )
}
