import { expect, test } from 'vitest'
import { onScreen, when, whenFound } from '../../../../src/commands/core/screenNeeds.ts'

test('combined needs check the screen, then the item found on it, then its condition', () => {
  let found: number | undefined
  const any = whenFound(onScreen('jobs'), () => found, 'There are none')
  const even = when(any, one => one % 2 === 0, 'It is odd')
  const at = (path: string) => even({ role: 'admin', path, list: undefined, targets: () => [], last: undefined })
  expect(at('/devices')).toEqual({ blocked: 'Open the jobs first' })
  expect(at('/jobs')).toEqual({ blocked: 'There are none' })
  found = 1
  expect(at('/jobs')).toEqual({ blocked: 'It is odd' })
  found = 2
  expect(at('/jobs')).toEqual({ target: 2 })
})
