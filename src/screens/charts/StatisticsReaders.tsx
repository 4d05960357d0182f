import { useEffect } from 'react'
import { useStatistics, type ChartQuery } from '../../api/statistics.ts'
import type { Collector } from './collector.ts'

/**
 * Reads each device's statistics, polling while they include now, and passes them to the collector. Renders nothing.
 */
export function StatisticsReaders({
  collector,
  bssids,
  query,
}: {
  collector: Collector
  bssids: readonly string[]
  query: ChartQuery
}) {
  return bssids.map(bssid => <Reader key={bssid} collector={collector} bssids={bssids} bssid={bssid} query={query} />)
}

function Reader(props: { collector: Collector; bssids: readonly string[]; bssid: string; query: ChartQuery }) {
  const { collector, bssids, bssid, query } = props
  const { data, error, mutate } = useStatistics(bssid, query)
  useEffect(() => {
    // Every reader sets the query; setting the same query again changes nothing.
    collector.setQuery(bssids, query)
    collector.setState({ bssid, data, error: data ? undefined : (error as unknown), retry: () => void mutate() }, query)
  }, [collector, bssids, bssid, query, data, error, mutate])
  return null
}
