import { useEffect } from 'react'
import { useStatistics, type StatisticsQuery } from '../../api/statistics.ts'
import type { Board } from './board.ts'

/** Reads each device's statistics, and goes on reading while they grow. Shows nothing by itself. */
export function Readers({ board, bssids, asked }: { board: Board; bssids: readonly string[]; asked: StatisticsQuery }) {
  return bssids.map(bssid => <Reader key={bssid} board={board} bssids={bssids} bssid={bssid} asked={asked} />)
}

function Reader(props: { board: Board; bssids: readonly string[]; bssid: string; asked: StatisticsQuery }) {
  const { board, bssids, bssid, asked } = props
  const { data, error, mutate } = useStatistics(bssid, asked)
  useEffect(() => {
    // Whichever tells first asks first; the same question again changes nothing.
    board.ask(bssids, asked)
    board.tell({ bssid, data, error: data ? undefined : (error as unknown), retry: () => void mutate() }, asked)
  }, [board, bssids, bssid, asked, data, error, mutate])
  return null
}
