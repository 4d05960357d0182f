/** Dates and times in the browser's language. */
import { afterEach, describe, expect, test } from 'vitest'
import { bucketLabel, periodLabel, ticksOf } from '../../../src/domain/charts/axis.ts'
import { chartGrid } from '../../../src/domain/charts/grid.ts'
import { clockSpan, momentText, viewTitle } from '../../../src/domain/calendar/texts.ts'
import { hasTwelveHours, languageAndRegion } from '../../../src/domain/dates.ts'
import { formatTimeIn } from '../../../src/domain/format.ts'
import { dayName } from '../../../src/domain/notifications/days.ts'
import { setLanguage, testLanguage } from '../../support/language.ts'
import { sampleDevice } from '../support/charts.ts'

afterEach(() => setLanguage(testLanguage))

const wall = Date.UTC(2026, 2, 5, 14, 20)
const until = new Date(wall).toISOString()
const event = { start: '2026-03-05T14:00:00Z', end: '2026-03-06T00:00:00Z' }

describe.each([
  {
    language: 'en-US',
    bucket: 'Thu, Mar 5, 2:20 PM–2:30 PM',
    ticks: ['Mar 5', '3 AM', '6 AM', '9 AM', '12 PM', '3 PM', '6 PM', '9 PM'],
    week: 'Mar 2 – 8, 2026',
    moment: 'Thu, Mar 5, 2:20 PM',
    span: '2:00 PM – 12:00 AM',
    day: 'Thursday, March 5, 2026',
    time: '3:20 PM',
    region: 'en-US',
  },
  {
    language: 'en-GB',
    bucket: 'Thu 5 Mar, 14:20–14:30',
    ticks: ['5 Mar', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00'],
    week: '2 – 8 Mar 2026',
    moment: 'Thu 5 Mar, 14:20',
    span: '14:00 – 24:00',
    day: 'Thursday, 5 March 2026',
    time: '15:20',
    region: 'en-GB',
  },
  {
    language: 'de',
    bucket: 'Do., 5. März, 14:20–14:30',
    ticks: ['5. März', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00'],
    week: '2.–8. März 2026',
    moment: 'Do., 5. März, 14:20',
    span: '14:00 – 24:00',
    day: 'Donnerstag, 5. März 2026',
    time: '15:20',
    region: 'de-DE',
  },
])('in $language', ({ language, ...expected }) => {
  test('charts, calendar, notifications and devices have the same order and hours', () => {
    setLanguage(language)
    const { rows } = chartGrid([sampleDevice({ range: 'day', until: wall, zone: 'UTC' })], {
      zone: 'UTC',
      perDevice: false,
    })
    expect({
      bucket: bucketLabel({ x: 0, wall, isRepeated: false, startsAt: 0 }, 600),
      ticks: ticksOf(rows, 500).map(({ label }) => label),
      week: periodLabel({ range: 'week', until }, 'UTC'),
      moment: momentText('UTC', wall, wall, wall),
      span: clockSpan(event, 'UTC'),
      day: dayName(Date.UTC(2026, 2, 5), wall + 10 * 86_400_000, 'UTC'),
      time: formatTimeIn('Europe/Berlin', wall),
      region: languageAndRegion(),
    }).toEqual(expected)
    expect(viewTitle('week', '2026-03-05')).toBe(expected.week)
    expect(hasTwelveHours()).toBe(language === 'en-US')
  })
})

test('a language without region or with another script has a form for the calendar', () => {
  for (const [language, region] of [
    ['ja', 'ja-JP'],
    ['zh-Hant-TW', 'zh-TW'],
    ['haw-US', 'en-GB'],
  ] as const) {
    setLanguage(language)
    expect(languageAndRegion()).toBe(region)
  }
})
