/** A place that is on the map but not in this version. */
export function UnbuiltScreen({ title }: { title: string }) {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-3 p-8 text-center">
      <h1 tabIndex={-1} className="text-lg font-semibold">
        {title}
      </h1>
      <p className="text-ink2">This screen is not in this version of Permeate.</p>
    </div>
  )
}
