import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { pastedIds } from '../../../domain/bssidList.ts'
import { overlay } from '../../../store/overlays.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { isApple } from '../../../store/platform.ts'
import { keycaps } from '../../keys/keymap.ts'
import { countOf } from '../../core/wording.ts'
import { selectionMode, type SelectionMode } from '../../selection/materialize.ts'
import { metaOf } from '../../../api/contract/fields.ts'
import { run } from '../run/run.ts'

/** So many are named; a text of thousands of words is no list of devices. */
const maxNamed = 100

const wayNames = metaOf(selectionMode)
const ways: readonly { value: SelectionMode | undefined; name: string }[] = [
  { value: undefined, name: wayNames?.leftOut ?? '' },
  ...(['add', 'keep', 'without'] as const).map((value, at) => ({ value, name: wayNames?.names?.[at] ?? '' })),
]

/** Where a list of devices is pasted. What of it could not be selected is named, and stays to be put right. */
export function PasteDialog() {
  const { pasting } = useSnapshot(overlay)
  const [way, setWay] = useState<SelectionMode>()
  const [running, setRunning] = useState(false)
  if (!pasting) return null
  const { ids, others } = pastedIds(pasting.text)
  const unknown = new Set(pasting.unknown)
  const wrong = [
    ...ids.filter(id => unknown.has(id)).map(id => ({ word: id, why: 'no such device' })),
    ...others.map(word => ({ word, why: 'no device id' })),
  ]
  const close = () => (overlay.pasting = undefined)
  const submit = async () => {
    if (running || ids.length === 0) return
    setRunning(true)
    await run('select.list', { input: { devices: overlay.pasting?.text ?? '', how: way } })
    setRunning(false)
    // What is left over is put right and comes to those that were found; it is not in their place.
    const left = overlay.pasting
    if (left && pastedIds(left.text).ids.length < ids.length && way === undefined) setWay('add')
  }
  return (
    <Dialog title="Select a pasted list of devices" className="w-[520px] p-5" onClose={close} command="select.paste">
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
          value={pasting.text}
          onChange={event => (overlay.pasting = { text: event.target.value, unknown: [] })}
        />
        <p id="pasted-count" aria-live="polite" className="mt-1.5 text-ink2">
          {countOf(ids.length, 'devices')}
          {others.length > 0 &&
            `, and ${others.length.toLocaleString('en')} ${others.length === 1 ? 'word that is' : 'words that are'} no device id`}
          . Commas, blanks, lines and tabs separate; any spelling will do.
        </p>
        {wrong.length > 0 && (
          <ul
            aria-label="What is not selected"
            tabIndex={0}
            className="mt-2 max-h-40 overflow-auto rounded-lg border border-line"
          >
            {wrong.slice(0, maxNamed).map(({ word, why }) => (
              <li key={word} className="flex justify-between gap-3 border-b border-line px-3 py-1 last:border-0">
                <span className="truncate font-mono text-[12px]">{word}</span>
                <span className="whitespace-nowrap text-bad">{why}</span>
              </li>
            ))}
            {wrong.length > maxNamed && (
              <li className="px-3 py-1 text-ink2">and {(wrong.length - maxNamed).toLocaleString('en')} more</li>
            )}
          </ul>
        )}
        <fieldset className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
          <legend className="sr-only">How</legend>
          {ways.map(({ value, name }) => (
            <label key={name} className="flex min-h-6 items-center gap-1.5">
              <input
                type="radio"
                name="way"
                className="size-4 accent-accent"
                checked={way === value}
                onChange={() => setWay(value)}
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
