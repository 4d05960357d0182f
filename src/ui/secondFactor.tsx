/** What is shown once while a second factor is set up: the key for an authenticator, and the recovery codes. */
import { QrCode } from './QrCode.tsx'

/** The key as a QR code and as text, in groups that are easy to type. */
export function AuthenticatorKey({ authenticator }: { authenticator: { readonly key: string; readonly uri: string } }) {
  return (
    <div className="grid justify-items-center gap-3">
      <QrCode text={authenticator.uri} label="QR code for an authenticator app" />
      <p className="text-center text-[12px] text-ink2">
        Or enter this key:
        <span className="mt-1 block font-mono text-[13px] text-balance text-ink select-all">
          {authenticator.key.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </span>
      </p>
    </div>
  )
}

/** The recovery codes, with what they are for. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div className="grid gap-2">
      <p className="text-[12.5px] text-ink2">
        Keep these recovery codes in a safe place. Each one signs you in once, if you lose your authenticator. They are
        not shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fill,minmax(11.5rem,1fr))] gap-x-4 gap-y-1 rounded-lg border border-line bg-sunk px-3 py-2 font-mono text-[12.5px] select-all"
      >
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </div>
  )
}
