import { memo, type RefObject } from 'react'
import { maxPerCall } from '../../api/contract/endpoint.ts'
import { formatNumber } from '../../domain/format.ts'
import { supplyChangePlace } from '../../domain/health/texts/supplyTexts.ts'
import { incidentDetails, timesText } from '../../domain/notifications/texts.ts'
import type { NotificationRun } from '../../domain/notifications/runs.ts'
import { suggestedAction } from '../../commands/notifications/suggestedActions.ts'
import { actionOf, focusOn } from '../../commands/notifications/focus.ts'
import type { CommandId } from '../../commands/core/commandId.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { Icon } from '../../commands/surfaces/buttons/Icon.tsx'
import { HealthLine } from '../../commands/surfaces/buttons/HealthLine.tsx'
import { NotificationLine } from '../../commands/surfaces/buttons/NotificationLine.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { useRowFocus, useMeasuredRef } from '../../ui/focus/rowFocus.ts'
import type { HealthNotice, ShownNotification } from '../../store/notificationsView.ts'

/** The height of a day's heading in pixels. */
export const dayHeight = 32

interface Props {
  notification: ShownNotification
  index: number
  /** Its position among all matches, from 1. */
  position: number
  /** The number of all matches. */
  count: number
  /** Pixels from the top of the list. */
  top: number
  /** The day's name, if this is the day's first notification. */
  day: string | undefined
  unseen: boolean
  /** The run that starts with it. */
  run: NotificationRun | undefined
  /** Whether it is listed under its incident. */
  isMember: boolean
  /** The device's colour, if it is selected. */
  colour: string | undefined
  focused: boolean
  /** Whether Tab reaches the row. */
  reachable: boolean
  /** The keyboard move that focused the row; 0 for none. */
  focusMove: number
  handledMove: RefObject<number>
  measure: (element: HTMLElement | null) => void
}

/** Whether a line is what health adds to the notifications. */
export const isHealthNotice = (notification: ShownNotification): notification is HealthNotice =>
  notification.type === 'finding' || notification.type === 'findings' || notification.type === 'supply'

/** A notification: its text, its device and its commands. */
export const NotificationRow = memo(function NotificationRow(props: Props) {
  const { notification, day, focused, focusMove, handledMove, measure } = props
  const { _id, type, incident } = notification
  const attach = useMeasuredRef(useRowFocus<HTMLElement>(focusMove, handledMove), measure)
  const text = `notification-${_id}`
  return (
    <article
      ref={attach}
      aria-labelledby={text}
      aria-posinset={props.position}
      aria-setsize={props.count}
      tabIndex={props.reachable ? 0 : -1}
      // A press focuses the row, as the command does by key.
      data-command="notification.down"
      data-index={props.index}
      data-id={_id}
      className="absolute inset-x-0 outline-none"
      style={{ top: props.top }}
      onFocus={event => {
        if (!focused && event.target === event.currentTarget) focusOn(notification)
      }}
      onClick={() => focusOn(notification)}
    >
      {day !== undefined && <DayHeading name={day} />}
      <div
        className={`relative grid gap-x-3 gap-y-2 border-b border-line bg-panel py-2.5 pr-3 ${props.isMember ? 'pl-12' : 'pl-6'} sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center ${focused ? 'row-focused' : ''}`}
      >
        {props.unseen && (
          <span className="absolute top-[19px] left-2.5 size-[7px] rounded-full bg-accent" aria-hidden="true" />
        )}
        <div id={text}>
          {props.unseen && <span className="sr-only">Unseen: </span>}
          {isHealthNotice(notification) ? (
            <HealthLine notice={notification}>
              <NotificationDevice notification={notification} colour={props.colour} focused={focused} />
            </HealthLine>
          ) : (
            <NotificationLine notification={notification} when="time">
              <NotificationDevice notification={notification} colour={props.colour} focused={focused} />
            </NotificationLine>
          )}
          {props.run && type !== 'supply' && (
            <RunToggle notification={notification} run={props.run} focused={focused} />
          )}
        </div>
        <Actions
          notification={notification}
          focused={focused}
          offersChart={
            !isHealthNotice(notification) && !incident && suggestedAction(notification.type).command !== 'charts.show'
          }
        />
      </div>
    </article>
  )
})

/** The notification's device with a link to it; for an incident, what its line does not say. */
function NotificationDevice(props: { notification: ShownNotification; colour: string | undefined; focused: boolean }) {
  const { notification, colour, focused } = props
  const { device } = notification
  if (notification.type === 'findings')
    return <p className="text-[12px] text-ink3">{notification.group.vendor.company_name}</p>
  if (notification.type === 'supply')
    return <p className="text-[12px] text-ink3">{supplyChangePlace(notification.change)}</p>
  if (notification.type !== 'finding' && notification.incident)
    return (
      <p className="text-[12px] text-ink3">
        {incidentDetails({ ...notification, incident: notification.incident }).join(' · ')}
      </p>
    )
  return (
    <>
      {colour && (
        <span aria-hidden="true" className="mr-1.5 inline-block size-2 rounded-[3px]" style={{ background: colour }} />
      )}
      <a
        data-command="notification.open"
        href={`/devices/${device.bssid}`}
        tabIndex={focused ? 0 : -1}
        className="font-mono text-[11.5px] text-ink3 hover:text-accent hover:underline touch:py-[13px]"
        onClick={event => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          runOn(notification, 'notification.open')
        }}
      >
        {device.bssid}
      </a>
      <span className="text-[12px] text-ink3">
        {[device.description, device.company_name].filter(Boolean).map(each => ` · ${each}`)}
      </span>
    </>
  )
}

/** A button that says how many notifications of the same type follow, and shows or folds them. */
function RunToggle(props: { notification: ShownNotification; run: NotificationRun; focused: boolean }) {
  const { isFolded } = props.run
  return (
    <p className="pl-[34px]">
      <button
        type="button"
        data-command="notification.run"
        aria-expanded={!isFolded}
        tabIndex={props.focused ? 0 : -1}
        className="mt-0.5 -ml-1.5 inline-flex min-h-6 items-center gap-1.5 rounded-md px-1.5 text-left text-[12px] text-ink2 hover:bg-sunk hover:text-ink"
        onClick={() => runOn(props.notification, 'notification.run')}
      >
        <Icon name={isFolded ? 'right' : 'down'} size={13} />
        <span>
          {isFolded ? 'Show' : 'Hide'}{' '}
          {runText(props.run, props.notification.type === 'findings' ? 'findings' : 'notifications')}
        </span>
        {props.focused && (
          <span className="hidden sm:block">
            <CommandKeys command={props.run.isIncident ? openCommand : runCommand} />
          </span>
        )}
      </button>
    </p>
  )
}

function runText({ isIncident, isFolded, count, devices, from, to }: NotificationRun, members: string): string {
  if (isIncident)
    return isFolded || count <= maxPerCall
      ? `its ${members}`
      : `its ${members} (the newest ${formatNumber(maxPerCall)})`
  const others = formatNumber(count - 1)
  const sources = devices === 1 ? 'from this device' : `from ${formatNumber(devices)} devices`
  return `${others} more in a row, ${sources}, ${timesText(from, to)}`
}

export function DayHeading({ name }: { name: string }) {
  return (
    <h2
      className="flex items-end border-b border-line bg-bg px-4 pb-1 text-[11.5px] font-semibold text-ink2"
      style={{ height: dayHeight }}
    >
      {name}
    </h2>
  )
}

/** Focuses a notification and runs a command on it. */
function runOn(notification: ShownNotification, command: CommandId): void {
  focusOn(notification)
  void run(command)
}

const answerCommand = commandOf('notification.answer')
const chartCommand = commandOf('notification.chart')
const openCommand = commandOf('notification.open')
const runCommand = commandOf('notification.run')

function Actions(props: { notification: ShownNotification; focused: boolean; offersChart: boolean }) {
  const { notification, focused } = props
  const { title, icon } = actionOf(notification)
  const tabIndex = focused ? 0 : -1
  return (
    <div className="flex gap-1.5 pl-[34px] sm:w-[216px] sm:pl-0">
      <button
        type="button"
        data-command={answerCommand.id}
        tabIndex={tabIndex}
        className="btn sm:flex-1"
        onClick={() => runOn(notification, answerCommand.id)}
      >
        <Icon name={icon} />
        {title}
        {focused && (
          <span className="hidden sm:block">
            <CommandKeys command={answerCommand} />
          </span>
        )}
      </button>
      <span className="size-[30px]">
        {props.offersChart && (
          <button
            type="button"
            data-command={chartCommand.id}
            tabIndex={tabIndex}
            aria-label={chartCommand.title}
            title={chartCommand.title}
            className="icon-btn"
            onClick={() => runOn(notification, chartCommand.id)}
          >
            <Icon name="chart" />
          </button>
        )}
      </span>
    </div>
  )
}
