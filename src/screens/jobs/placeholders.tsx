/** Placeholders for the jobs: empty and loading. */

export function NoJobs() {
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-2 p-8 text-center text-ink2">
      <p>No jobs yet.</p>
      <p className="max-w-96 text-ink3">Commands you run appear here. You can retry or undo them.</p>
    </div>
  )
}

export function Skeleton() {
  return (
    <div aria-busy="true" aria-label="Loading" role="group" className="grid content-start">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="grid gap-2 border-b border-line bg-panel px-4 py-3.5">
          <span className="h-3 w-2/5 skeleton" />
          <span className="h-2.5 w-3/5 skeleton" />
        </div>
      ))}
    </div>
  )
}
