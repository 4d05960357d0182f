import { createContext, use, useEffect, useRef, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { drafts, saveDraft } from '../../../store/drafts.ts'
import type { Entity } from '../../../store/lists.ts'
import { useUnits } from '../../../store/preferences.ts'
import type { Command } from '../../core/types.ts'
import { inputText } from '../../jobs/inputText.ts'
import { changedFields, formInput } from './formInput.ts'
import { submitTogether, type Submit } from './submitTogether.ts'

const Members = createContext<Map<string, Submit> | undefined>(undefined)

/** Registers a form in the group around it, if there is one, which then submits it. Returns whether there is one. */
export function useFormGroup(command: Command, submit: Submit): boolean {
  const members = use(Members)
  useEffect(() => {
    members?.set(command.id, submit)
    return () => void members?.delete(command.id)
  })
  return members !== undefined
}

/**
 * Forms of several commands with one button, which applies what was changed in any of them, one command after the other.
 * The changes are listed beside it. Each form keeps its own edits (`about` names their draft) and messages.
 */
export function FormGroup(props: {
  entity: Entity
  commands: readonly Command[]
  about: string
  values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The label of the button, such as `Apply to 3 devices`. */
  action: string
  children: ReactNode
}) {
  const { about, values } = props
  const members = useRef(new Map<string, Submit>())
  const units = useUnits()
  const edited = useSnapshot(drafts)
  const changes = props.commands.flatMap(command => {
    const draft = edited[command.id]
    if (draft?.about !== about) return []
    const initial = values[command.id] ?? {}
    const changed = changedFields(command, initial, draft.edits, units)
    if (changed.length === 0) return []
    const input = formInput(command, initial, draft.edits, units)
    const words = inputText(command, Object.fromEntries(changed.map(name => [name, input[name]])))
    return [{ command, text: words.map(({ label, value }) => `${label}: ${value}`).join(', ') }]
  })
  const apply = () => {
    const submits = changes.flatMap(({ command }) => members.current.get(command.id) ?? [])
    void submitTogether(submits, props.entity)
  }
  return (
    <>
      <Members value={members.current}>{props.children}</Members>
      <div className="sticky bottom-0 border-t border-line bg-panel px-4 py-3">
        {changes.length === 0 ? (
          <p className="text-[12px] text-ink3">Change a setting to apply it here.</p>
        ) : (
          <div role="group" aria-label="Changes" className="grid gap-2">
            <ul className="max-h-28 overflow-auto text-[12px] text-ink2">
              {changes.map(({ command, text }) => (
                <li key={command.id}>
                  <b className="font-medium text-ink">{command.title}</b> {text}
                </li>
              ))}
            </ul>
            <div className="flex flex-wrap gap-2">
              <button type="button" data-command={changes[0]?.command.id} className="btn btn-primary" onClick={apply}>
                {props.action}
              </button>
              <button
                type="button"
                data-command={changes[0]?.command.id}
                className="btn"
                onClick={() => {
                  for (const { command } of changes) saveDraft(command.id, { about, edits: {} })
                }}
              >
                Reset
              </button>
            </div>
          </div>
        )}
      </div>
    </>
  )
}
