import { Component, type ReactNode } from 'react'
import { errorText } from '../api/errors.ts'

/** Shows an error instead of a blank page. Input and selection are persisted and restored after a reload. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state = { error: undefined as Error | undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <main role="alert" className="grid h-full place-content-center justify-items-center gap-3 p-8 text-center">
        <h1 className="text-lg font-semibold">The console stopped working</h1>
        <p className="max-w-prose text-ink2">{errorText(error)}</p>
        <button type="button" autoFocus className="btn btn-primary" onClick={() => window.location.reload()}>
          Reload
        </button>
      </main>
    )
  }
}
