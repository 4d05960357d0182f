import { expect, test } from 'vitest'
import { parseFault, sizeProblem } from '../../../../simulator/model/faultTexts.ts'
import { slowFaultKinds, slowFaults } from '../../../../simulator/model/slowFaults.ts'
import { msPerDay, msPerHour } from '../../../../src/domain/time.ts'

test('the text of a fault has its kind, size and duration, or the usual ones', () => {
  expect(parseFault('fouling:0.3:90d')).toEqual({ kind: 'fouling', size: 0.3, ramp: 90 * msPerDay })
  expect(parseFault('inlet-sensor:-0.2:12h')).toEqual({ kind: 'inlet-sensor', size: -0.2, ramp: 12 * msPerHour })
  expect(parseFault('leak')).toEqual({ kind: 'leak', size: 0.5, ramp: 0 })
  expect(parseFault('scaling:0.2')).toEqual({ kind: 'scaling', size: 0.2, ramp: 90 * msPerDay })
  expect(parseFault('oring:0.015:0d')).toEqual({ kind: 'oring', size: 0.015, ramp: 0 })
  for (const text of [
    '',
    'rust',
    'fouling:',
    'fouling:0',
    'fouling:much',
    'fouling:0.3:90',
    'fouling:0.3:90d:1',
    'fouling:99',
  ])
    expect(parseFault(text), text).toBeUndefined()
})

test('a fault has sizes that its kind can have', () => {
  for (const kind of slowFaultKinds) expect(parseFault(`${kind}:${slowFaults[kind].size}`), kind).toBeDefined()
  for (const text of ['oxidation:3', 'leak:12', 'restrictor:-2', 'inlet-sensor:-0.5', 'oring:1', 'feed-pressure:-0.5'])
    expect(parseFault(text), text).toBeDefined()
  for (const text of ['fouling:5:90d', 'sediment:1', 'prefilter:-0.3', 'restrictor:1', 'inlet-sensor:-1', 'oring:2'])
    expect(parseFault(text), text).toBeUndefined()
})

test('the reason names the sizes of the kind', () => {
  expect(sizeProblem('fouling:5:90d')).toBe('the size of fouling must be above 0 and at most 0.99')
  expect(sizeProblem('feed:-1')).toBe('the size of feed must be other than 0, at least -0.99 and at most 20')
  expect(sizeProblem('fouling:0.3:90')).toBeUndefined()
  expect(sizeProblem('rust:5')).toBeUndefined()
})
