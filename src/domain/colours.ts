/** Colours that distinguish many items, on a light and on a dark background. */

/** OKLCH lightnesses and chromas at which a colour has a contrast of 3:1 with the panels of both themes (WCAG 1.4.11). */
const lightnesses = [0.54, 0.585, 0.63] as const
const chromas = [0.09, 0.15] as const
/** Degrees. The first hue is blue; steps of the golden angle keep any run of hues spread around the circle. */
const firstHue = 240
const goldenAngle = 137.508

/**
 * Returns the colour of an index, from 0, as CSS. The colours of up to forty consecutive indexes are easy to distinguish.
 * Takes constant time: selecting a page assigns a thousand of them in one frame.
 */
export function distinctColour(index: number): string {
  const lightness = lightnesses[index % lightnesses.length]!
  const chroma = chromas[index % chromas.length]!
  const hue = (firstHue + index * goldenAngle) % 360
  return `oklch(${Math.round(lightness * 1000) / 10}% ${chroma} ${Math.round(hue)})`
}
