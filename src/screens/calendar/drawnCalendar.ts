import { lazy } from 'react'

/** Month, week and day. The library that draws them takes the global Temporal, which not every browser has yet. */
export const DrawnCalendar = lazy(async () => {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  const { EventGrid } = await import('./EventGrid.tsx')
  return { default: EventGrid }
})
