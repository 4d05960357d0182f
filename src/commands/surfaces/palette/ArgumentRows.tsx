import { Command as Menu } from 'cmdk'
import * as z from 'zod/mini'
import { metaOf } from '../../../api/contract/fields.ts'
import { momentText } from '../../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../../domain/systemTimeZone.ts'
import { secretMask } from './ArgumentHead.tsx'
import type { ArgumentRequest } from './argumentPrompt.ts'
import { ReadyPage } from './ReadyPage.tsx'
import { keyOf, type ArgumentPage } from './useArgumentPage.ts'

/** The rows of an argument page: skipping the argument, its options, or the typed value. */
export function ArgumentRows(props: { request: ArgumentRequest; page: ArgumentPage; empty: string }) {
  const { request, page, empty } = props
  const { field, query, picked, submit } = page
  const row = { 'data-command': request.command.id, className: 'palette-item' }
  const names = picked.map(option => option.name).join(', ')
  if (!field) return <ReadyPage request={request} onRun={page.finish} />
  return (
    <>
      {page.hasOptions && <Menu.Empty className="p-6 text-center text-ink2">{empty}</Menu.Empty>}
      {page.canSkip && (
        <Menu.Item {...row} value="keep" className="palette-item text-ink2" onSelect={() => submit(undefined, '')}>
          {metaOf(field.schema)?.omittedHint ?? 'Keep as it is'}
        </Menu.Item>
      )}
      {page.multiple && !query && (
        <Menu.Item
          {...row}
          value="done"
          className="palette-item font-medium"
          onSelect={() =>
            submit(
              picked.map(option => option.value),
              names,
            )
          }
        >
          {picked.length === 0 ? 'None' : `Done: ${names}`}
        </Menu.Item>
      )}
      {page.options.map(option => (
        <Menu.Item {...row} key={keyOf(option)} value={keyOf(option)} onSelect={() => page.choose(option)}>
          <span>{option.name}</span>
          {option.detail && <span className="truncate text-ink3">{option.detail}</span>}
        </Menu.Item>
      ))}
      {!page.hasOptions && (query || !field.optional) && (
        <Menu.Item {...row} value="typed" onSelect={() => submit(page.parsed, query)}>
          {query ? (
            <>
              Set to <b>{typedText(page)}</b> {page.unit}
            </>
          ) : z.safeParse(field.schema, page.parsed).success ? (
            'Leave empty'
          ) : (
            'Type a value'
          )}
        </Menu.Item>
      )}
    </>
  )
}

/** Returns the typed value as text, as it was parsed. */
function typedText({ query, secret, control, parsed }: ArgumentPage): string {
  if (secret) return secretMask
  return control?.kind === 'time' ? readTime(parsed) : query
}

/** Formats a parsed time; returns examples if it is not valid. */
function readTime(value: unknown): string {
  const time = Date.parse(String(value))
  return Number.isNaN(time) ? '… such as 2026-03-29 09:00, tomorrow 9:00, 9:00' : momentText(systemTimeZone(), time)
}
