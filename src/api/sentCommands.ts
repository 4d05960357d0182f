/** Commands sent to a device, and their results. */
import { useEffect } from 'react'
import useSWR from 'swr'
import { call } from './client.ts'
import { devices } from './contract/devices.ts'
import type { SentCommand } from './contract/sentCommands.ts'

/** Milliseconds between two polls: while a command is pending, and otherwise. */
const pollInterval = { pending: 1_500, ended: 15_000 }

/**
 * Reads a device's last commands, newest first. Reads them again when `version`, which changes with the device, changes:
 * most commands change the device.
 */
export function useSentCommands(bssid: string, limit: number, version: string | undefined) {
  const response = useSWR<SentCommand[]>(
    [devices.commands.path, { bssid, limit }],
    () => call(devices.commands, { params: { bssid }, query: { limit } }),
    {
      refreshInterval: latest =>
        latest?.some(({ state }) => state === 'sent') ? pollInterval.pending : pollInterval.ended,
    },
  )
  const { mutate } = response
  useEffect(() => void mutate(), [version, mutate])
  return response
}
