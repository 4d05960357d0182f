import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { auth } from '../../api/contract/auth.ts'
import { problems } from '../../commands/command.ts'
import { errorMessages } from '../../commands/execute.ts'
import { beginSession } from '../../commands/session.ts'
import { toastError } from '../../commands/surfaces/toasts.tsx'
import { Icon } from '../../commands/surfaces/Icon.tsx'
import { FieldRow } from '../../ui/controls.tsx'
import * as z from 'zod/mini'

/** Signing in. A failure says why and leaves what was typed. */
export function LoginScreen() {
  const [typed, setTyped] = useState({ login: '', password: '' })
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [running, setRunning] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])

  const submit = async () => {
    const parsed = z.safeParse(auth.login.body, typed, { reportInput: true })
    if (!parsed.success) {
      setErrors(problems(parsed.error, auth.login.body))
      return
    }
    setRunning(true)
    try {
      await beginSession(parsed.data.login, parsed.data.password)
    } catch (error) {
      for (const message of errorMessages(error)) toastError(message)
      setErrors({ '': errorMessages(error)[0]?.toString() ?? '' })
      setRunning(false)
    }
  }

  return (
    <div className="grid min-h-full place-items-center p-4">
      <form
        noValidate
        aria-labelledby="login-title"
        className="grid w-[360px] max-w-full gap-4 rounded-xl border border-line bg-panel p-7"
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <div className="flex items-center gap-2.5">
          <span className="grid size-9 place-items-center rounded-lg bg-accent text-accent-ink">
            <Icon name="device" size={18} />
          </span>
          <div>
            <h1 id="login-title" tabIndex={-1} className="text-base font-semibold tracking-tight">
              Permeate
            </h1>
            <p className="text-[12px] text-ink3">Sign in to your fleet</p>
          </div>
        </div>
        {(['login', 'password'] as const).map(name => (
          <FieldRow key={name} label={name === 'login' ? 'Login' : 'Password'} error={errors[name]} stacked>
            {({ inputId, describedBy }) => (
              <input
                id={inputId}
                ref={name === 'login' ? first : undefined}
                className="input w-full"
                type={name === 'login' ? 'text' : 'password'}
                autoComplete={name === 'login' ? 'username' : 'current-password'}
                autoCapitalize="none"
                spellCheck={false}
                aria-invalid={errors[name] ? true : undefined}
                aria-describedby={describedBy}
                value={typed[name]}
                onChange={event => {
                  setTyped({ ...typed, [name]: event.target.value })
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
        <div className="flex items-center justify-between gap-3">
          <Link to="/forgot" className="text-accent hover:underline">
            Forgot password
          </Link>
          <button type="submit" className="btn btn-primary" disabled={running}>
            {running ? 'Signing in…' : 'Login'}
          </button>
        </div>
      </form>
    </div>
  )
}
