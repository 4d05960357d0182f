import { importWithRetry } from '../api/importWithRetry.ts'

/** Shows a toast for an error. The code of toasts loads after the first rows. */
export async function reportFailure(error: unknown): Promise<void> {
  const { toastFailure } = await importWithRetry(() => import('../commands/surfaces/toasts/toasts.tsx'))
  toastFailure(error)
}
