import { useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { parsePastedIds } from '../../../domain/bssidList.ts'
import { overlay } from '../../../store/overlays.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { isApple } from '../../../store/platform.ts'
import { keycaps } from '../../keys/keymap.ts'
import { countOf } from '../../core/wording.ts'
import { selectionMode, type SelectionMode } from '../../selection/materialize.ts'
import { metaOf } from '../../../api/contract/fields.ts'
import { run } from '../run/run.ts'
import { formatNumber } from '../../../domain/format.ts'

/** The most problems listed; the others are shown as a count. */
const maxListed = 100

const modeMeta = metaOf(selectionMode)
const modes: readonly { value: SelectionMode | undefined; name: string }[] = [
  { value: undefined, name: modeMeta?.omittedHint ?? '' },
  ...(['add', 'keep', 'without'] as const).map((value, index) => ({ value, name: modeMeta?.names?.[index] ?? '' })),
]

/** A dialog to select devices by a pasted list of ids. Unknown ids and other words stay in it, to be corrected. */
export function PasteDialog() {
  // Synchronously: React would move the caret of a controlled input that is updated later.
  const { pasteDialog } = useSnapshot(overlay, { sync: true })
  const [mode, setMode] = useState<SelectionMode>()
  const [running, setRunning] = useState(false)
  const isEdited = useRef(false)
  if (!pasteDialog) return null
  const { ids, otherWords } = parsePastedIds(pasteDialog.text)
  const unknown = new Set(pasteDialog.unknown)
  const problems = [
    ...ids.filter(id => unknown.has(id)).map(id => ({ word: id, reason: 'not found' })),
    ...otherWords.map(word => ({ word, reason: 'not a device id' })),
  ]
  const close = () => (overlay.pasteDialog = undefined)
  const submit = async () => {
    if (running || ids.length === 0) return
    setRunning(true)
    isEdited.current = false
    await run('select.list', { input: { devices: overlay.pasteDialog?.text ?? '', how: mode } })
    setRunning(false)
    // Some ids were found and some remain: once corrected, the next submission must add to the selection.
    const remaining = overlay.pasteDialog
    if (isEdited.current || !remaining) return
    if (parsePastedIds(remaining.text).ids.length < ids.length && mode === undefined) setMode('add')
  }
  return (
    <Dialog title="Select devices by pasted IDs" className="w-[520px] p-5" onClose={close} command="select.paste">
      <form
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          void submit()
        }}
      >
        <textarea
          aria-label="Device ids"
          aria-describedby="pasted-count"
          autoFocus
          rows={8}
          spellCheck={false}
          autoComplete="off"
          placeholder={'A4:1C:09:7E:33:0B\n30AEA4001A01, 30-ae-a4-00-1a-02'}
          className="input mt-3 !h-auto w-full resize-y py-2 font-mono text-[12px]"
          value={pasteDialog.text}
          onChange={event => {
            isEdited.current = true
            overlay.pasteDialog = { text: event.target.value, unknown: [] }
          }}
        />
        <p id="pasted-count" aria-live="polite" className="mt-1.5 text-ink2">
          {countOf(ids.length, 'devices')}
          {otherWords.length > 0 &&
            `, and ${formatNumber(otherWords.length)} ${otherWords.length === 1 ? 'word that is not a device id' : 'words that are not device ids'}`}
          . Separate ids by commas, spaces, tabs or new lines, in any notation.
        </p>
        {problems.length > 0 && (
          <ul
            aria-label="Not selected"
            tabIndex={0}
            className="mt-2 max-h-40 overflow-auto rounded-lg border border-line"
          >
            {problems.slice(0, maxListed).map(({ word, reason }) => (
              <li key={word} className="flex justify-between gap-3 border-b border-line px-3 py-1 last:border-0">
                <span className="truncate font-mono text-[12px]">{word}</span>
                <span className="whitespace-nowrap text-bad">{reason}</span>
              </li>
            ))}
            {problems.length > maxListed && (
              <li className="px-3 py-1 text-ink2">and {formatNumber(problems.length - maxListed)} more</li>
            )}
          </ul>
        )}
        <fieldset className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
          <legend className="sr-only">How</legend>
          {modes.map(({ value, name }) => (
            <label key={name} className="flex min-h-6 items-center gap-1.5">
              <input
                type="radio"
                name="way"
                className="size-4 accent-accent"
                checked={mode === value}
                onChange={() => setMode(value)}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          <CloseButton />
          <button type="submit" className="btn btn-primary" disabled={ids.length === 0} aria-disabled={running}>
            Select {countOf(ids.length, 'devices')}{' '}
            <span className="hidden sm:block">
              <Kbd caps={keycaps('mod+Enter', isApple())} />
            </span>
          </button>
        </div>
      </form>
    </Dialog>
  )
}
