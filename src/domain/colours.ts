/** Colours that distinguish many items, on a light and on a dark background. */

/** OKLCH: lightness 0–1, chroma, hue in degrees. */
interface Colour {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

/** Within these a colour has a contrast of 3:1 with the panels of both themes (WCAG 1.4.11). */
const lightnesses = [0.54, 0.585, 0.63] as const
const chromas = [0.09, 0.15] as const
/** Random candidates for a colour; the one farthest from its neighbours is chosen. */
const maxAttempts = 40
/** The number of recent colours that a new one is kept apart from. */
const neighbours = 40

export function cssOf({ lightness, chroma, hue }: Colour): string {
  return `oklch(${Math.round(lightness * 1000) / 10}% ${chroma} ${Math.round(hue)})`
}

const cssPattern = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/
function parseColour(css: string): Colour | undefined {
  const found = cssPattern.exec(css)
  return found ? { lightness: Number(found[1]) / 100, chroma: Number(found[2]), hue: Number(found[3]) } : undefined
}

/** Returns the distance of two colours in OKLab. Lightness counts twice, because chart lines are thin. */
function distance(one: Colour, other: Colour): number {
  const turn = Math.PI / 180
  const a = one.chroma * Math.cos(one.hue * turn) - other.chroma * Math.cos(other.hue * turn)
  const b = one.chroma * Math.sin(one.hue * turn) - other.chroma * Math.sin(other.hue * turn)
  return Math.hypot(2 * (one.lightness - other.lightness), a, b)
}

const pickRandom = <T>(values: readonly T[], random: () => number): T => values[Math.floor(random() * values.length)]!

/**
 * Returns a random colour far from the `used` ones, which this function must have returned. `random` returns numbers in
 * [0, 1).
 */
export function distinctColour(used: readonly string[], random: () => number = Math.random): string {
  const near = used.slice(-neighbours).flatMap(css => parseColour(css) ?? [])
  let best: { colour: Colour; free: number } | undefined
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const colour = {
      lightness: pickRandom(lightnesses, random),
      chroma: pickRandom(chromas, random),
      hue: random() * 360,
    }
    const free = Math.min(...near.map(other => distance(colour, other)))
    if (!best || free > best.free) best = { colour, free }
    // Without neighbours every colour is equally good.
    if (near.length === 0) break
  }
  return cssOf(best!.colour)
}
