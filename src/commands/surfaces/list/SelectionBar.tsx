import { memo, useEffect, useState } from 'react'
import { subscribe } from 'valtio/vanilla'
import { formatMatches } from '../../../domain/format.ts'
import { focus } from '../../../store/focus.ts'
import type { Entity } from '../../../store/lists.ts'
import { selections, selectionState, useSelection } from '../../../store/selection.ts'
import type { Command } from '../../core/types.ts'
import { currentContext } from '../../core/context.ts'
import { commandsOn } from '../../core/registry.ts'
import { describeSelection } from '../../selection/describe.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { SelectMenu } from '../buttons/menus.tsx'

interface Props {
  entity: Entity
  /** The number of selected rows on this page. */
  onPage: number
}

/** Shows the size and sources of the selection, and its commands. Always shown, so that rows do not move. */
export const SelectionBar = memo(function SelectionBar({ entity, onPage }: Props) {
  const selection = useSelection(entity)
  const { size, query } = selection
  const hasSelection = size > 0 || query !== undefined
  const source = hasSelection ? describeSelection(entity) : ''
  return (
    <div
      role="group"
      aria-label="Selection"
      className="@container border-b border-line bg-panel px-3 text-[12px] text-ink2"
    >
      <div className="selection-line">
        <p className="flex min-w-0 items-center gap-1.5">
          {hasSelection ? (
            <>
              <span className="whitespace-nowrap">
                <b className="font-semibold text-ink">{formatMatches(size)}</b> selected
                {size > onPage && (
                  <span className="hidden @md:inline">{`, ${formatMatches(size - onPage)} on other pages`}</span>
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
        {/* Beside the count in two small lines where there is little room. */}
        <p
          className="min-w-0 flex-1 text-ink3 @max-xl:line-clamp-2 @max-xl:text-[11px] @max-xl:leading-[14px] @max-xl:wrap-anywhere @xl:truncate"
          title={source || undefined}
        >
          {source}
        </p>
        {commandsOn('selection').map(command => (
          // Select all is hidden once all matches are selected.
          <BarButton
            key={command.id}
            command={command}
            shown={command.id === 'list.selectAll' ? !selection.covers() : hasSelection}
          />
        ))}
        <SelectMenu />
      </div>
      <Announcements entity={entity} />
    </div>
  )
})

const shortLabels: Readonly<Record<string, string>> = {
  'select.invert': 'Invert',
  'select.save': 'Save',
  'list.clearSelection': 'Clear',
}

/** Classes that hide a button while the bar is too narrow for it. */
const hideWhenNarrow: Readonly<Record<string, string>> = {
  'list.selectAll': '!hidden @xl:!inline-flex',
  'select.invert': '!hidden @5xl:!inline-flex',
  'select.save': '!hidden @5xl:!inline-flex',
}

/** A button of the bar. Buttons that are hidden in a narrow bar are in the Select menu as well. */
function BarButton({ command, shown }: { command: Command; shown: boolean }) {
  if (!shown) return null
  const label = shortLabels[command.id]
  return (
    <CommandButton
      command={command}
      {...(label && { label })}
      className={`!h-[26px] text-[12px] ${hideWhenNarrow[command.id] ?? ''}`}
    />
  )
}

/** Milliseconds without a change before it is announced: a held key would announce every row. */
const announceDelay = 250

/** Announces to screen readers the focused row's position, and the number of selected rows when it changes. */
function Announcements({ entity }: { entity: Entity }) {
  const [text, setText] = useState('')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let announcedSize = selections[entity].size
    const announce = () => {
      const { list } = currentContext()
      const index = list?.rows.findIndex(({ id }) => id === list.focus.id) ?? -1
      const { size, colourOf } = selections[entity]
      const parts: string[] = []
      if (list && index >= 0) {
        const position = (list.state.page - 1) * list.state.limit + index + 1
        parts.push(`Row ${formatMatches(position)} of ${formatMatches(list.count ?? 0, list.isEstimate)}`)
        if (list.focus.id !== undefined && colourOf(list.focus.id)) parts.push('selected')
      }
      if (size !== announcedSize)
        parts.push(size === 0 ? 'nothing selected' : `${formatMatches(size)} selected in total`)
      announcedSize = size
      setText(parts.join(', '))
    }
    const schedule = () => {
      clearTimeout(timer)
      timer = setTimeout(announce, announceDelay)
    }
    const stops = [subscribe(focus[entity], schedule), subscribe(selectionState, schedule)]
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [entity])
  return (
    <p role="status" aria-label="Row" className="sr-only">
      {text}
    </p>
  )
}
