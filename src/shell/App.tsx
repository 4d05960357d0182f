import { BrowserRouter } from 'react-router-dom'
import { SWRConfig, type SWRConfiguration } from 'swr'
import { ApiError } from '../api/errors.ts'
import { errorMessages } from '../commands/execute.ts'
import { toastError } from '../commands/surfaces/toasts.tsx'
import { Toaster } from '../ui/Toaster.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Frame } from './Frame.tsx'

/** The common handler of failed reads. What cannot be reached is shown by the live dot, not by a toast at every try. */
const reads: SWRConfiguration = {
  errorRetryInterval: 2000,
  dedupingInterval: 500,
  onError(error: unknown) {
    if (error instanceof ApiError && (error.status === 0 || error.status === 401)) return
    for (const message of errorMessages(error)) toastError(message)
  },
}

export function App() {
  return (
    <ErrorBoundary>
      <SWRConfig value={reads}>
        <BrowserRouter>
          <Frame />
        </BrowserRouter>
        <Toaster />
      </SWRConfig>
    </ErrorBoundary>
  )
}
