/** A failed API call: the server's message, or that the server could not be reached. */
export class ApiError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** The response's message as received: one text or a list. */
  readonly raw: string | readonly string[]
  /** Whether the server asks for the same call again later. */
  readonly isToBeRepeated: boolean

  constructor(status: number, raw: string | readonly string[], isToBeRepeated = false) {
    super(typeof raw === 'string' ? raw : raw.join(', '))
    this.status = status
    this.raw = raw
    this.isToBeRepeated = isToBeRepeated
  }
}

/** Whether a retry may help: the server was unreachable, busy or failed. Other errors would repeat. */
export const isTransient = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

export const unreachable = 'The server cannot be reached'

/** Errors of modules that did not load. */
const moduleErrors = new WeakSet<object>()

/** Handles the `vite:preloadError` window event: records that a module did not load. */
export function onModuleLoadError({ payload }: { payload: Error }): void {
  moduleErrors.add(payload)
}

/** Returns an error's message for display, a list joined with commas. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return moduleErrors.has(error)
    ? `${unreachable}, or a newer version of the console is available. Try again, or reload the page`
    : error.message
}

/** Returns an error's message or list of messages for display. */
export const errorLines = (error: unknown): string | readonly string[] =>
  error instanceof ApiError ? error.raw : errorText(error)
