import { Command as Menu } from 'cmdk'
import { metaOf } from '../../../api/contract/fields.ts'
import { momentText } from '../../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../../domain/systemTimeZone.ts'
import { hidden } from './ArgumentHead.tsx'
import type { Asked } from './argumentPrompt.ts'
import { ReadyPage } from './ReadyPage.tsx'
import { keyOf, type ArgumentPage } from './useArgumentPage.ts'

/** What Enter may take on the page of an argument: leaving it out, its options, what was typed. */
export function ArgumentRows({ asked, page, empty }: { asked: Asked; page: ArgumentPage; empty: string }) {
  const { field, query, taken, give } = page
  const row = { 'data-command': asked.command.id, className: 'palette-item' }
  const names = taken.map(option => option.name).join(', ')
  if (!field) return <ReadyPage asked={asked} onRun={page.finish} />
  return (
    <>
      {page.listed && <Menu.Empty className="p-6 text-center text-ink2">{empty}</Menu.Empty>}
      {page.keeps && (
        <Menu.Item {...row} value="keep" className="palette-item text-ink2" onSelect={() => give(undefined, '')}>
          {metaOf(field.schema)?.leftOut ?? 'Keep as it is'}
        </Menu.Item>
      )}
      {page.many && !query && (
        <Menu.Item
          {...row}
          value="done"
          className="palette-item font-medium"
          onSelect={() =>
            give(
              taken.map(option => option.value),
              names,
            )
          }
        >
          {taken.length === 0 ? 'None' : `Done: ${names}`}
        </Menu.Item>
      )}
      {page.options.map(option => (
        <Menu.Item {...row} key={keyOf(option)} value={keyOf(option)} onSelect={() => page.choose(option)}>
          <span>{option.name}</span>
          {option.detail && <span className="truncate text-ink3">{option.detail}</span>}
        </Menu.Item>
      ))}
      {!page.listed && (query || !field.optional) && (
        <Menu.Item {...row} value="typed" onSelect={() => give(page.typed, query)}>
          Set to <b>{typedText(page)}</b> {query && page.unit}
        </Menu.Item>
      )}
    </>
  )
}

/** What was typed, as it was understood. */
function typedText({ query, secret, control, typed }: ArgumentPage): string {
  if (query === '') return 'nothing'
  if (secret) return hidden
  return control?.kind === 'time' ? readTime(typed) : query
}

/** A time as it was understood, or how to write one. */
function readTime(value: unknown): string {
  const at = Date.parse(String(value))
  return Number.isNaN(at) ? '… such as 2026-03-29 09:00, tomorrow 9:00, 9:00' : momentText(systemTimeZone(), at)
}
