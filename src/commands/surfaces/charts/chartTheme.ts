/** Colours for the charts' canvases, which cannot use CSS custom properties. */
import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { Tone } from '../../../domain/device.ts'
import { preferences } from '../../../store/preferences.ts'
import type { PlotTheme } from '../../../ui/chart/plot.ts'

/** Colours as CSS values for a canvas. */
export interface ChartTheme extends PlotTheme {
  readonly tones: Readonly<Record<Tone, string>>
  /** Resolves any CSS colour for a canvas. */
  readonly colour: (colour: string) => string
  /** Returns a resolved colour for lines that should not stand out. */
  readonly faded: (colour: string) => string
}

/** Returns the current theme's colours, read again when the theme changes. */
export function useChartTheme(): ChartTheme {
  const { theme } = useSnapshot(preferences)
  return useMemo(() => readTheme(theme), [theme])
}

/** The parameter only makes the memo depend on the theme. */
function readTheme(_theme: string): ChartTheme {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    grid: token('--line'),
    text: token('--ink3'),
    ink: token('--ink'),
    background: token('--panel'),
    font: getComputedStyle(document.body).fontFamily,
    tones: {
      ok: token('--ok'),
      busy: token('--busy'),
      mute: token('--ink3'),
      warn: token('--warn'),
      bad: token('--bad'),
    },
    faded: colour => `color-mix(in oklab, ${colour} 30%, ${token('--panel')})`,
    colour: colour => /^var\((.*)\)$/.exec(colour)?.[1]?.replace(/^.*$/, token) ?? colour,
  }
}
