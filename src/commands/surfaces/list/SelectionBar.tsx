import { memo, useEffect, useState } from 'react'
import { subscribe } from 'valtio/vanilla'
import { focus } from '../../../store/focus.ts'
import type { Entity } from '../../../store/lists.ts'
import { selections, selectionState, useSelection } from '../../../store/selection.ts'
import type { Command } from '../../core/types.ts'
import { currentContext } from '../../core/context.ts'
import { commandsOn } from '../../core/registry.ts'
import { sourceOf } from '../../selection/materialize.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { SelectMenu } from '../buttons/menus.tsx'

interface Props {
  entity: Entity
  /** Of the rows on screen. */
  ids: readonly string[] | undefined
}

const inThousands = (value: number) => value.toLocaleString('en')
/** More is not read by anybody. */
const maxSources = 3

/** What is selected and where from, and what changes it. It stands there before anything is: rows must not jump. */
export const SelectionBar = memo(function SelectionBar({ entity, ids }: Props) {
  const selection = useSelection(entity)
  const { size, query } = selection
  const any = size > 0 || query !== undefined
  const here = ids?.filter(id => selection.colourOf(id) !== undefined).length ?? 0
  const from = query ? [sourceOf(entity, query)] : selection.from
  const source = [...from.slice(0, maxSources), ...(from.length > maxSources ? ['more'] : [])].join(', ')
  return (
    <div
      role="group"
      aria-label="Selection"
      className="@container border-b border-line bg-panel px-3 text-[12px] text-ink2"
    >
      <div className="flex flex-wrap items-center gap-x-2 @xl:flex-nowrap">
        <p className="flex h-9 min-w-0 flex-1 items-center gap-1.5 overflow-hidden @xl:flex-none">
          {any ? (
            <>
              <span className="whitespace-nowrap">
                <b className="font-semibold text-ink">{inThousands(size)}</b> selected
                {size > here && (
                  <span className="hidden @md:inline">{`, ${inThousands(size - here)} on other pages`}</span>
                )}
              </span>
              {query && (
                <span className="rounded-[5px] bg-accent-soft px-1.5 text-[11px] font-medium whitespace-nowrap text-accent">
                  all that match
                </span>
              )}
            </>
          ) : (
            <span className="truncate text-ink3">Nothing selected</span>
          )}
        </p>
        {/* Where there is little room it has a line of its own, which is there before it is. */}
        <p
          className="min-h-[22px] pb-1 wrap-anywhere text-ink3 @max-xl:order-1 @max-xl:w-full @xl:min-h-0 @xl:flex-1 @xl:truncate @xl:pb-0"
          title={any ? `From ${source}` : undefined}
        >
          {any && source && `from ${source}`}
        </p>
        {commandsOn('selection').map(command => (
          // Where all that match are selected already, there are no more of them.
          <BarButton
            key={command.id}
            command={command}
            shown={command.id === 'list.selectAll' ? !selection.covers() : any}
          />
        ))}
        <SelectMenu />
      </div>
      <Spoken entity={entity} />
    </div>
  )
})

const shortLabels: Readonly<Record<string, string>> = {
  'select.invert': 'Invert',
  'select.save': 'Save',
  'list.clearSelection': 'Clear',
}

/** How wide the bar must be for a button. */
const roomFor: Readonly<Record<string, string>> = {
  'list.selectAll': '!hidden @xl:!inline-flex',
  'select.invert': '!hidden @5xl:!inline-flex',
  'select.save': '!hidden @5xl:!inline-flex',
}

/** Without room there is the menu, which has them all; what undoes a selection stays. */
function BarButton({ command, shown }: { command: Command; shown: boolean }) {
  if (!shown) return null
  const label = shortLabels[command.id]
  return (
    <CommandButton
      command={command}
      {...(label && { label })}
      className={`!h-[26px] text-[12px] ${roomFor[command.id] ?? ''}`}
    />
  )
}

/** Milliseconds for which the focus must rest on a row before its place is said: a held key would only stammer. */
const rest = 250

/** Says to screen readers where in the table one is, as the focus moves, and how many are selected when that changes. */
function Spoken({ entity }: { entity: Entity }) {
  const [text, setText] = useState('')
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    let told = selections[entity].size
    const tell = () => {
      const { list } = currentContext()
      const at = list?.rows.findIndex(({ id }) => id === list.focus.id) ?? -1
      const { size, colourOf } = selections[entity]
      const parts: string[] = []
      if (list && at >= 0) {
        const position = (list.state.page - 1) * list.state.limit + at + 1
        parts.push(`Row ${inThousands(position)} of ${inThousands(list.count ?? 0)}`)
        if (list.focus.id !== undefined && colourOf(list.focus.id)) parts.push('selected')
      }
      if (size !== told) parts.push(size === 0 ? 'nothing is selected' : `${inThousands(size)} selected in all`)
      told = size
      setText(parts.join(', '))
    }
    const later = () => {
      clearTimeout(waiting)
      waiting = setTimeout(tell, rest)
    }
    const stops = [subscribe(focus[entity], later), subscribe(selectionState, later)]
    return () => {
      clearTimeout(waiting)
      for (const stop of stops) stop()
    }
  }, [entity])
  return (
    <p role="status" aria-label="Row" className="sr-only">
      {text}
    </p>
  )
}
