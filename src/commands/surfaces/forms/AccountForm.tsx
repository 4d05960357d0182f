import { useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { metaOf } from '../../../api/contract/fields.ts'
import { errorText } from '../../../api/errors.ts'
import { problems } from '../../core/fieldIssue.ts'
import { Icon } from '../buttons/Icon.tsx'
import { toastFailure } from '../toasts/toasts.tsx'
import { FieldRow } from '../../../ui/controls.tsx'

/** A full-page form for signed-out pages, such as sign-in. Values stay in the fields when submitting fails. */
export function AccountForm<Schema extends z.ZodMiniObject>(props: {
  title: string
  text: string
  fields: Schema
  action: string
  /** Shown above the fields, such as why a person has to sign in again. */
  notice?: string | undefined
  /** Shown above the fields. */
  intro?: ReactNode
  /** The autocomplete token of each field, for password managers. */
  autoComplete?: Readonly<Record<string, string>>
  /** Resolves with the message to show, or with undefined if another screen opens. */
  onSubmit: (values: z.output<Schema>) => Promise<string | undefined>
  children?: ReactNode
}) {
  const { fields } = props
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [message, setMessage] = useState<string>()
  const [running, setRunning] = useState(false)

  const submit = async () => {
    const parsed = z.safeParse(fields, values, { reportInput: true })
    if (!parsed.success) return setErrors(problems(parsed.error, fields))
    setRunning(true)
    try {
      setMessage(await props.onSubmit(parsed.data as z.output<Schema>))
    } catch (error) {
      toastFailure(error)
      setErrors({ '': errorText(error) })
    } finally {
      setRunning(false)
    }
  }

  return (
    <div className="grid min-h-full grid-cols-[minmax(0,1fr)] place-items-center bg-[radial-gradient(60rem_40rem_at_50%_-10rem,var(--accent-soft),transparent)] p-4">
      <form
        noValidate
        aria-labelledby="form-title"
        className="grid w-[384px] max-w-full gap-4 rounded-2xl border border-line bg-panel p-6 sm:p-8 shadow-(--shadow)"
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="grid justify-items-center gap-3 pb-1 text-center">
          <span className="grid size-12 shrink-0 place-items-center rounded-xl bg-accent text-accent-ink">
            <Icon name="device" size={26} />
          </span>
          <div>
            <h1 id="form-title" tabIndex={-1} className="text-xl font-semibold tracking-tight">
              {props.title}
            </h1>
            <p className="mt-1 text-balance text-ink2">{props.text}</p>
          </div>
        </div>
        {props.notice !== undefined && (
          <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-center text-[12.5px] text-warn">
            {props.notice}
          </p>
        )}
        {props.intro}
        {message === undefined &&
          Object.entries<z.core.$ZodType>(fields.shape).map(([name, schema], index) => (
            <FieldRow key={name} label={metaOf(schema)?.label ?? name} error={errors[name]} stacked>
              {({ inputId, describedBy }) => (
                <input
                  id={inputId}
                  className="input !h-10 w-full"
                  autoFocus={index === 0}
                  type={metaOf(schema)?.as === 'secret' ? 'password' : 'text'}
                  autoComplete={
                    props.autoComplete?.[name] ?? (metaOf(schema)?.as === 'secret' ? 'new-password' : 'username')
                  }
                  autoCapitalize="none"
                  spellCheck={false}
                  aria-required
                  aria-invalid={errors[name] ? true : undefined}
                  aria-describedby={describedBy}
                  value={values[name] ?? ''}
                  onChange={event => {
                    setValues({ ...values, [name]: event.target.value })
                    setErrors(({ [name]: _, '': __, ...others }) => others)
                  }}
                />
              )}
            </FieldRow>
          ))}
        {errors[''] && (
          <p role="alert" className="text-[12.5px] text-bad">
            {errors['']}
          </p>
        )}
        {message !== undefined && (
          <p role="status" className="text-ok">
            {message}
          </p>
        )}
        {message === undefined && (
          <button type="submit" className="btn btn-primary !h-10 w-full justify-center" disabled={running}>
            {running ? 'Please wait…' : props.action}
          </button>
        )}
        {props.children && <div className="text-center">{props.children}</div>}
      </form>
    </div>
  )
}
