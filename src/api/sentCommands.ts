/** What a device was told to do, and what came of it. */
import { useEffect } from 'react'
import useSWR from 'swr'
import { call } from './client.ts'
import { devices } from './contract/devices.ts'
import type { SentCommand } from './contract/sentCommands.ts'

/** Milliseconds between two looks: while a command is on its way, and otherwise. */
const pollInterval = { underway: 1_500, ended: 15_000 }

/**
 * The device's last commands, newest first. They are read again when the device changes, of which `version` tells:
 * most commands change it.
 */
export function useSentCommands(bssid: string, limit: number, version: string | undefined) {
  const answer = useSWR<SentCommand[]>(
    [devices.commands.path, { bssid, limit }],
    () => call(devices.commands, { params: { bssid }, query: { limit } }),
    {
      refreshInterval: latest =>
        latest?.some(({ state }) => state === 'sent') ? pollInterval.underway : pollInterval.ended,
    },
  )
  const { mutate } = answer
  useEffect(() => void mutate(), [version, mutate])
  return answer
}
