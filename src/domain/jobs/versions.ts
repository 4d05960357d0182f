/** The firmware versions that the devices of a job run. */

/** A firmware version, empty if it is not known, and the number of devices that run it. */
export interface VersionCount {
  readonly version: string
  readonly count: number
}

const { compare } = new Intl.Collator('en', { numeric: true })

/** Returns versions newest first: 2.10.0 is newer than 2.9.0. */
export const newestFirst = <Row extends Pick<VersionCount, 'version'>>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => compare(b.version, a.version))

/** A row of a chart of versions. */
export interface VersionRow extends VersionCount {
  readonly isTarget: boolean
}

/**
 * Returns the rows of a chart: at most `max` versions, those of most devices and always the target, newest first. `others`
 * counts the remaining versions and their devices.
 */
export function versionRows(
  versions: readonly VersionCount[],
  target: string | undefined,
  max: number,
): { readonly rows: readonly VersionRow[]; readonly others: { readonly versions: number; readonly count: number } } {
  const known = versions.some(({ version }) => version === target)
  const all = known || target === undefined ? versions : [...versions, { version: target, count: 0 }]
  const ordered = all
    .map(row => ({ ...row, isTarget: row.version === target }))
    .toSorted((a, b) => Number(b.isTarget) - Number(a.isTarget) || b.count - a.count)
  // One more version takes as much room as the row that counts it.
  const shown = ordered.length <= max + 1 ? ordered : ordered.slice(0, max)
  const rest = ordered.slice(shown.length)
  return {
    rows: newestFirst(shown),
    others: { versions: rest.length, count: rest.reduce((sum, { count }) => sum + count, 0) },
  }
}
