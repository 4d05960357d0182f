import { lazily } from '../../commands/surfaces/lazily.ts'

/** Month, week and day. The library that draws them takes the global Temporal, which not every browser has yet. */
export const DrawnCalendar = lazily(
  async () => {
    if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
    return import('./EventGrid.tsx')
  },
  of => of.EventGrid,
)
