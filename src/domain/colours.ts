/** Colours that many things are told apart by, on a light ground and on a dark one. */

/** OKLCH: lightness 0–1, chroma, hue in degrees. */
interface Colour {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

/** Between them a colour keeps 3:1 against the panels of both themes (WCAG 1.4.11). */
const lightnesses = [0.54, 0.585, 0.63] as const
const chromas = [0.09, 0.15] as const
/** Of so many at random the one farthest from its neighbours is taken. */
const tries = 40
/** More are not looked at together; only the last of them are kept apart. */
const neighbours = 40

export function cssOf({ lightness, chroma, hue }: Colour): string {
  return `oklch(${Math.round(lightness * 1000) / 10}% ${chroma} ${Math.round(hue)})`
}

const written = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/
function colourIn(css: string): Colour | undefined {
  const found = written.exec(css)
  return found ? { lightness: Number(found[1]) / 100, chroma: Number(found[2]), hue: Number(found[3]) } : undefined
}

/** How different two colours look: their distance in OKLab, in which lightness counts twice as lines are thin. */
function distance(one: Colour, other: Colour): number {
  const turn = Math.PI / 180
  const a = one.chroma * Math.cos(one.hue * turn) - other.chroma * Math.cos(other.hue * turn)
  const b = one.chroma * Math.sin(one.hue * turn) - other.chroma * Math.sin(other.hue * turn)
  return Math.hypot(2 * (one.lightness - other.lightness), a, b)
}

const pick = <T>(of: readonly T[], random: () => number): T => of[Math.floor(random() * of.length)]!

/** A colour by chance, far from those in use (as this function makes them). `random` gives numbers from 0 to below 1. */
export function freeColour(used: readonly string[], random: () => number = Math.random): string {
  const near = used.slice(-neighbours).flatMap(css => colourIn(css) ?? [])
  let best: { colour: Colour; free: number } | undefined
  for (let attempt = 0; attempt < tries; attempt++) {
    const colour = { lightness: pick(lightnesses, random), chroma: pick(chromas, random), hue: random() * 360 }
    const free = Math.min(...near.map(other => distance(colour, other)))
    if (!best || free > best.free) best = { colour, free }
    // With nothing to keep away from, one is as good as another.
    if (near.length === 0) break
  }
  return cssOf(best!.colour)
}
