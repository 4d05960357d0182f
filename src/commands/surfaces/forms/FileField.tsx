import { useEffect, useId, useRef, useState } from 'react'
import { maxUploadBytes, type uploadColumns } from '../../../domain/uploads.ts'
import { Icon } from '../buttons/Icon.tsx'
import { run } from '../run/run.ts'
import { formatNumber } from '../../../domain/format.ts'

/** A file input with a drop area, and downloads of template files that show the expected format. */
export function FileField(props: {
  /** The id of the command that uploads the file. */
  command: string
  /** The upload whose template file can be downloaded. */
  template: keyof typeof uploadColumns
  /** Whether a CSV file may be of any length. */
  inParts: boolean
  file: File | undefined
  error: string | undefined
  required: boolean
  onChange: (file: File | undefined) => void
}) {
  const { file, error, onChange } = props
  const id = useId()
  const [dragOver, setDragOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // Clears the input after an upload or a drop: otherwise it still shows the name of the file chosen before.
  useEffect(() => {
    if (input.current && input.current.files?.[0] !== file) input.current.value = ''
  }, [file])
  return (
    <div className="grid gap-2">
      <div
        data-command={props.command}
        className={`grid justify-items-center gap-1.5 rounded-lg border border-dashed p-4 text-center ${dragOver ? 'border-ring bg-accent-soft' : 'border-line bg-bg'}`}
        onDragOver={event => {
          event.preventDefault()
          setDragOver(true)
        }}
        onDragLeave={() => setDragOver(false)}
        onDrop={event => {
          event.preventDefault()
          setDragOver(false)
          onChange(event.dataTransfer.files[0])
        }}
      >
        <label htmlFor={`${id}f`} className="font-medium">
          {file ? file.name : 'File (.csv or .xlsx)'}
        </label>
        <p className="text-[12px] text-ink3">
          {file
            ? `${formatNumber(Math.ceil(file.size / 1024))} kB`
            : `Drop a file here or choose one, ${props.inParts ? '.csv of any length, .xlsx up to' : 'up to'} ${maxUploadBytes / 1024 / 1024} MB.`}
        </p>
        <input
          ref={input}
          id={`${id}f`}
          data-file-input
          type="file"
          accept=".csv,.xlsx"
          className="peer sr-only"
          aria-required={props.required ? true : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}e` : undefined}
          onClick={event => {
            // Otherwise choosing the same file again, after it was changed, changes nothing.
            event.currentTarget.value = ''
          }}
          onChange={event => onChange(event.target.files?.[0])}
        />
        <label
          htmlFor={`${id}f`}
          className="btn cursor-pointer outline-offset-1 outline-ring peer-focus-visible:outline-2 touch:min-h-10"
        >
          Choose file…
        </label>
      </div>
      {error && (
        <p id={`${id}e`} role="alert" className="text-[12px] text-bad">
          {error}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2 text-[12px] text-ink2">
        Template file:
        {(['csv', 'xlsx'] as const).map(kind => (
          <button
            key={kind}
            type="button"
            data-command={`${props.template}.template`}
            className="btn"
            onClick={() => void run(`${props.template}.template`, { input: { kind } })}
          >
            <Icon name="download" size={13} />.{kind}
          </button>
        ))}
      </div>
    </div>
  )
}
