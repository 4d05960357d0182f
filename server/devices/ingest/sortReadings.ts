import type { ReceivedReading } from '../../telemetry/store.ts'

/** Sorts readings by device and time and removes duplicates of the same time, keeping the first. */
export function sortReadings(readings: readonly ReceivedReading[]): ReceivedReading[] {
  const sorted = readings.toSorted((a, b) => (a.bssid < b.bssid ? -1 : a.bssid > b.bssid ? 1 : a.at - b.at))
  return sorted.filter(({ bssid, at }, index) => {
    const previous = sorted[index - 1]
    return previous === undefined || previous.bssid !== bssid || previous.at !== at
  })
}
