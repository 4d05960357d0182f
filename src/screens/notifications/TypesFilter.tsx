import { useEffect, useId, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { notificationTypes, type NotificationType } from '../../domain/notifications/types.ts'
import type { Command } from '../../commands/core/types.ts'
import { CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { Icon } from '../../commands/surfaces/buttons/Icon.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import { notificationGroups } from '../../domain/notifications/texts.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { Popup } from '../../ui/Popup.tsx'

const show = (types: readonly NotificationType[]) => void run('notification.types', { input: { types } })

/** The filter for notification types: single types, groups, all or none. */
export function TypesFilter({ command }: { command: Command }) {
  const { hidden } = useSnapshot(notificationsView)
  const visibleTypes = notificationTypes.filter(type => !hidden.includes(type))
  const isFiltered = visibleTypes.length < notificationTypes.length
  return (
    <Popup
      label="Types of notifications"
      command={command.id}
      marker="data-types-filter"
      buttonClass={`btn ${isFiltered ? '!border-transparent !bg-accent-soft !text-accent' : ''}`}
      className="max-h-[75vh] w-[min(720px,calc(100vw-24px))] p-3"
      button={
        <>
          <Icon name="filter" />
          {isFiltered ? `${visibleTypes.length} of ${notificationTypes.length} types` : 'All types'}
          <span className="hidden sm:block">
            <CommandKeys command={command} />
          </span>
        </>
      }
    >
      <div className="mb-2 flex items-center gap-2">
        <span className="mr-auto font-semibold">Types</span>
        <button type="button" data-command="notification.types" className="btn" onClick={() => show(notificationTypes)}>
          All
        </button>
        <button type="button" data-command="notification.types" className="btn" onClick={() => show([])}>
          None
        </button>
      </div>
      <div className="gap-x-6 sm:columns-2">
        {notificationGroups.map(group => (
          <Group key={group.title} title={group.title} types={group.types} shown={visibleTypes} />
        ))}
      </div>
    </Popup>
  )
}

function Group(props: { title: string; types: readonly NotificationType[]; shown: readonly NotificationType[] }) {
  const { title, types, shown } = props
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const checkedCount = types.filter(type => shown.includes(type)).length
  useEffect(() => {
    if (box.current) box.current.indeterminate = checkedCount > 0 && checkedCount < types.length
  }, [checkedCount, types])
  const otherTypes = shown.filter(type => !types.includes(type))
  return (
    <div role="group" aria-labelledby={id} className="mb-2.5 grid break-inside-avoid-column gap-0.5">
      <label className="flex items-center gap-2 rounded px-1 py-0.5 font-semibold hover:bg-sunk">
        <input
          ref={box}
          type="checkbox"
          data-command="notification.types"
          className="size-[15px] accent-accent"
          checked={checkedCount === types.length}
          onChange={() => show(checkedCount === types.length ? otherTypes : [...otherTypes, ...types])}
        />
        <span id={id}>{title}</span>
      </label>
      {types.map(type => {
        const on = shown.includes(type)
        return (
          <label key={type} className="flex items-start gap-2 rounded py-0.5 pr-1 pl-6 text-ink2 hover:bg-sunk">
            <input
              type="checkbox"
              data-command="notification.types"
              className="mt-0.5 size-[15px] shrink-0 accent-accent"
              checked={on}
              onChange={() => show(on ? shown.filter(each => each !== type) : [...shown, type])}
            />
            {notificationDefinitions[type].text}
          </label>
        )
      })}
    </div>
  )
}
