/** What the help of a channel says of the thresholds: the same as the rules by which findings are made. */
import { expect, test } from 'vitest'
import { channelTexts, type Measured } from '../../../../../src/domain/health/texts/channelTexts.ts'
import { slowSize, stepSize } from '../../../../../src/domain/health/thresholds.ts'
import type { Channel } from '../../../../../src/domain/health/types/channels.ts'

const lastLine = (channel: Measured) => channelTexts[channel].help[4]

test.each([
  ['a', 'A fall of 12 % over weeks, or of 11 % within days, is checked. At 75 % the membrane is worn.'],
  ['b', 'A rise of 28 % over weeks, or of 13 % within days, is checked. At 200 % the membrane is worn.'],
  ['h', 'A fall of 14 % is checked. A pre-filter is due at 80 %.'],
  ['tank', 'A fall of 20 % over weeks is checked.'],
  ['rest', '0.3 litres an hour for 3 hours of a day are checked.'],
] as const)('the help of %s says from when on it counts', (channel, text) => {
  expect(lastLine(channel)).toBe(text)
})

test('what a supply shares is shown as its change, from thresholds of its own, and no finding', () => {
  expect(lastLine('p')).toContain('makes no finding')
  expect(lastLine('p')).toContain('A fall of 16 % that the supply shares is shown as a change')
  expect(lastLine('f')).toContain('A rise of 28 % that the supply shares is shown as a change')
})

test.each(['a', 'b', 'brief', 'r', 'h', 'tank'] as const satisfies readonly Channel[])(
  'the percentages in the help of %s are its thresholds',
  channel => {
    const [direction, ...percents] = /A (fall|rise) of (\d+) %(?:.*or of (\d+) %)?/.exec(lastLine(channel))!.slice(1)
    const logarithms = percents.filter(Boolean).map(each => {
      const change = Number(each) / 100
      return direction === 'rise' ? Math.log(1 + change) : -Math.log(1 - change)
    })
    expect(logarithms[0]).toBeCloseTo(slowSize[channel], 1)
    if (logarithms.length > 1) expect(logarithms[1]).toBeCloseTo(stepSize[channel], 1)
  },
)
