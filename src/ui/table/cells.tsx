/** Cells that several tables share. */

/** A link to an external address, opened without a referrer. */
export function LinkCell({ address }: { address: string }) {
  if (address === '') return <>–</>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" className="text-accent hover:underline">
      {address.replace(/^https?:\/\//, '')}
    </a>
  )
}

/** An account's status: blocked or active. */
export function AccountStatus({ blocked }: { blocked: boolean }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-[5px] px-[7px] py-0.5 text-[11.5px] font-medium ${blocked ? 'bg-bad-soft text-bad' : 'bg-ok-soft text-ok'}`}
    >
      <span className="size-1.5 rounded-full bg-current" />
      {blocked ? 'Blocked' : 'Active'}
    </span>
  )
}
