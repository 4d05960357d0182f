/** Shows the secrets of new devices. The server returns them only once, so closing without saving them asks first. */
import { useEffect } from 'react'
import { askQuestion, overlay, type Credential } from '../../../store/overlays.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { countOf } from '../../core/wording.ts'
import { SurfaceButtons } from '../buttons/SurfaceButtons.tsx'
import { formatNumber } from '../../../domain/format.ts'

/** Credentials beyond this number are only in the downloaded file. */
const maxShown = 100

/** Closes the dialog; asks for confirmation if the credentials have been neither downloaded nor copied. */
async function close(): Promise<void> {
  const credentials = overlay.credentials
  if (!credentials) return
  const question = {
    title: 'Close without saving the credentials?',
    text: `You have not downloaded or copied them, and they are not shown again. ${countOf(credentials.list.length, 'devices')} cannot sign in until the server creates new ones.`,
    action: 'Close without saving',
    type: undefined,
    danger: true,
    command: 'device.upload',
  }
  if (credentials.savedAs === undefined && !(await askQuestion(question))) return
  // Keeps the dialog open if credentials were added while the question was shown.
  if (overlay.credentials === credentials) overlay.credentials = undefined
}

/** `savedAs` says how the credentials were saved; undefined until they are. */
export function CredentialsDialog({ list, savedAs }: { list: readonly Credential[]; savedAs: string | undefined }) {
  return (
    <Dialog
      command="device.upload"
      title={`Credentials of ${countOf(list.length, 'devices')}`}
      className="w-[560px] p-5"
      onClose={() => void close()}
    >
      <p className="mt-1.5 text-ink2">
        Each device signs in with its id, without the colons, and a secret of its own. The secrets are shown only once:
        the server stores only their hashes.
      </p>
      <div
        role="region"
        aria-label="Credentials"
        tabIndex={0}
        className="mt-3 max-h-[40vh] overflow-auto rounded-lg border border-line"
      >
        <table className="w-full text-left">
          <thead className="sticky top-0 bg-panel shadow-[0_1px_0_var(--line)]">
            <tr className="text-[12px] text-ink3">
              <th className="px-3 py-1.5 font-medium">Device</th>
              <th className="px-3 py-1.5 font-medium">Secret</th>
            </tr>
          </thead>
          <tbody className="font-mono text-[12px]">
            {list.slice(0, maxShown).map(({ bssid, secret }) => (
              <tr key={bssid} className="border-b border-line last:border-0">
                <td className="px-3 py-1.5 align-top whitespace-nowrap">{bssid}</td>
                <td className="px-3 py-1.5 break-all select-all">{secret}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {list.length > maxShown && (
          <p className="border-t border-line px-3 py-1.5 text-ink3">and {formatNumber(list.length - maxShown)} more</p>
        )}
      </div>
      <p role="status" className="mt-3 text-[12px] break-words text-ok">
        {savedAs}
      </p>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <CloseButton />
        <SurfaceButtons
          on="credentials"
          overrides={{
            'device.copyCredentials': { label: 'Copy' },
            'device.downloadCredentials': { label: 'Download', primary: true, autoFocus: true },
          }}
        />
      </div>
    </Dialog>
  )
}

/** While `enabled`, the browser asks for confirmation before the page closes. */
export function useWarningBeforeUnload(enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [enabled])
}
