import type { ReactNode } from 'react'
import type { Notification } from '../../../api/contract/notifications.ts'
import type { Tone } from '../../../domain/device.ts'
import { formatNumber, formatDateTime, formatTime } from '../../../domain/format.ts'
import { notificationDefinitions } from '../../../domain/notifications/definitions.ts'
import { incidentText, notificationValue } from '../../../domain/notifications/texts.ts'
import { useUnits } from '../../../store/preferences.ts'
import type { IconName } from '../../../domain/iconName.ts'
import { Icon } from './Icon.tsx'
import { toneClasses } from './tones.ts'

const marks: Readonly<Record<Tone, IconName>> = {
  ok: 'check',
  busy: 'download',
  mute: 'power',
  warn: 'warning',
  bad: 'warning',
}

/**
 * Shows a notification: its tone, its text with the value in the person's unit, how many like it followed, and its time. If
 * `when` is 'date', the time includes the date. `children` are shown under the text.
 */
export function NotificationLine(props: { notification: Notification; when: 'time' | 'date'; children?: ReactNode }) {
  const { type, values, created_at, repeats, incident } = props.notification
  const { text, tone } = notificationDefinitions[type]
  const units = useUnits()
  const value = incident ? undefined : notificationValue(type, values, units)
  const full = formatDateTime(created_at)
  return (
    <div className="flex min-w-0 items-start gap-2.5">
      <span className={`grid size-6 shrink-0 place-items-center rounded-md ${toneClasses[tone]}`}>
        <Icon name={marks[tone]} size={14} />
      </span>
      <div className="min-w-0 flex-1 pt-[2px]">
        <p className="break-words">
          {incident ? incidentText({ ...props.notification, incident }) : text}
          {value !== undefined && (
            <>
              {': '}
              <span className="font-medium whitespace-nowrap tabular-nums text-ink2">{value}</span>
            </>
          )}
          {!incident && repeats !== undefined && <span className="text-ink2"> + {formatNumber(repeats)} more</span>}
        </p>
        {props.children}
      </div>
      <time dateTime={created_at} title={full} className="numeric shrink-0 pt-[2px] text-ink3">
        {props.when === 'date' ? full : formatTime(created_at)}
      </time>
    </div>
  )
}
