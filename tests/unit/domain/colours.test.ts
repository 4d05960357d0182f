import { expect, test } from 'vitest'
import { distinctColour } from '../../../src/domain/colours.ts'

/** The panel colours of both themes in OKLCH. */
const panels = { light: [1, 0, 0], dark: [0.215, 0.013, 235] } as const

/** Returns the relative luminance (WCAG 2.2) of an OKLCH colour, clamped to sRGB. Conversion: Ottosson, OKLab. */
function luminance([l, c, h]: readonly [number, number, number]): number {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ]
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  const red = clamp(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z)
  const green = clamp(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z)
  const blue = clamp(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function parseOklch(css: string): [number, number, number] {
  const found = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(css)
  expect(found, css).not.toBeNull()
  return [Number(found![1]) / 100, Number(found![2]), Number(found![3])]
}

const distinctColours = (count: number, first: number): string[] =>
  Array.from({ length: count }, (_, at) => distinctColour(first + at))

test('every colour has a contrast of 3:1 with the panels of both themes', () => {
  for (const css of distinctColours(2000, 0)) {
    const colour = luminance(parseOklch(css))
    for (const [theme, panel] of Object.entries(panels)) {
      const [darker, lighter] = [colour, luminance(panel)].sort((one, other) => one - other)
      expect((lighter! + 0.05) / (darker! + 0.05), `${css} on ${theme}`).toBeGreaterThanOrEqual(3)
    }
  }
})

test('forty consecutive colours are easy to tell apart', () => {
  /** Returns the least distance of two colours in OKLab. Lightness counts twice, because chart lines are thin. */
  const closest = (all: readonly string[]): number => {
    const points = all.map(css => {
      const [l, c, h] = parseOklch(css)
      return [2 * l, c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)] as const
    })
    return Math.min(
      ...points.flatMap((one, at) =>
        points.slice(at + 1).map(other => Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])),
      ),
    )
  }
  for (let first = 0; first < 1000; first += 7) {
    expect(closest(distinctColours(12, first)), `12 from ${first}`).toBeGreaterThan(0.09)
    expect(closest(distinctColours(40, first)), `40 from ${first}`).toBeGreaterThan(0.055)
  }
})
