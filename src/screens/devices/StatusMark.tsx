import { toneClasses } from '../../commands/surfaces/buttons/tones.ts'
import { statuses, type StatusCode } from '../../domain/device.ts'

/** A device's status as a coloured label. */
export function StatusMark({ status }: { status: StatusCode }) {
  const { label, tone } = statuses[status]
  return (
    <span
      title={label}
      className={`inline-flex max-w-full items-center gap-1.5 rounded-[5px] px-[7px] py-0.5 text-[11.5px] font-medium ${toneClasses[tone]}`}
    >
      <span className="size-1.5 shrink-0 rounded-full bg-current" />
      <span className="min-w-0 overflow-clip text-ellipsis">{label}</span>
    </span>
  )
}
