import { Suspense } from 'react'
import { BrowserRouter } from 'react-router-dom'
import { SWRConfig, type SWRConfiguration } from 'swr'
import { ApiError } from '../api/errors.ts'
import { lazyComponent } from '../commands/surfaces/run/lazyComponent.ts'
import { afterFirstRowsIdle } from '../store/firstRows.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Frame } from './Frame.tsx'
import { reportFailure } from './reportFailure.ts'

/** Toasts that are shown before the toaster has loaded are queued. */
const Messages = lazyComponent(
  () => afterFirstRowsIdle().then(() => import('./Messages.tsx')),
  module => module.Messages,
)

/** Statuses without a toast, because they are shown elsewhere: unreachable (in the top bar), signed out, not found. */
const silentStatuses = new Set([0, 401, 404])

/** SWR's options, with a toast for failed requests. */
const swrOptions: SWRConfiguration = {
  errorRetryInterval: 2000,
  dedupingInterval: 500,
  onError(error: unknown) {
    if (error instanceof ApiError && silentStatuses.has(error.status)) return
    void reportFailure(error)
  },
}

export function App() {
  return (
    <ErrorBoundary>
      <SWRConfig value={swrOptions}>
        <BrowserRouter>
          <Frame />
        </BrowserRouter>
        <Suspense>
          <Messages />
        </Suspense>
      </SWRConfig>
    </ErrorBoundary>
  )
}
