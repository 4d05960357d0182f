/** Colours for what is drawn on a canvas, which knows no custom properties. */
import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { Tone } from '../../domain/device.ts'
import { preferences } from '../../store/preferences.ts'
import type { PlotLook } from '../../ui/chart/plot.ts'

export interface Look extends PlotLook {
  readonly tones: Readonly<Record<Tone, string>>
  /** Any CSS colour as a canvas takes it. */
  readonly colour: (colour: string) => string
}

/** Those of the theme; new ones when it changes. */
export function useLook(): Look {
  const { theme } = useSnapshot(preferences)
  return useMemo(() => readLook(theme), [theme])
}

/** `theme` only says that another one has been read. */
function readLook(_theme: string): Look {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    grid: token('--line'),
    text: token('--ink3'),
    ink: token('--ink'),
    ground: token('--panel'),
    font: getComputedStyle(document.body).fontFamily,
    tones: {
      ok: token('--ok'),
      busy: token('--busy'),
      mute: token('--ink3'),
      warn: token('--warn'),
      bad: token('--bad'),
    },
    colour: colour => /^var\((.*)\)$/.exec(colour)?.[1]?.replace(/^.*$/, token) ?? colour,
  }
}
