/** Files of devices, as people upload them. */
export const csvHeader = 'bssid,platform,model,filtration_system,vendor,description'

/** Returns a file of `count` devices; files of another `series` (0–255) contain other devices. */
export function csvOf(count: number, series: number): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0').toUpperCase()
  const rows = Array.from({ length: count }, (_, index) => {
    const id = hex(index, 6)
    return `06:00:${hex(series, 2)}:${id.slice(0, 2)}:${id.slice(2, 4)}:${id.slice(4)},esp32,RO-400 Home,,vendor,Kitchen`
  })
  return [csvHeader, ...rows].join('\n')
}
