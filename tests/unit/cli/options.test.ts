/** Options made from schemas: their names, their values, and what is wrong with a command line. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { cartridgeTypes } from '../../../src/api/contract/filtration.ts'
import { PreviewQuery } from '../../../src/api/contract/endpoint.ts'
import { jobCommands, jobs } from '../../../src/api/contract/jobs.ts'
import { JobPolicy } from '../../../src/api/contract/jobPolicy.ts'
import { readArguments } from '../../../cli/arguments.ts'
import { checked, optionsOf } from '../../../cli/options.ts'
import { policyOptions } from '../../../cli/policyOptions.ts'

const read = (schema: z.core.$ZodType, ...args: string[]) => {
  const options = optionsOf(schema)
  return readArguments(args, options).valuesOf(options)
}

describe('a value', () => {
  test.each([
    [jobCommands.lock!.body, ['--locked'], { locked: true }],
    [jobCommands.lock!.body, ['--no-locked'], { locked: false }],
    [jobCommands.lock!.body, [], {}],
    [jobCommands.set_uv!.body, ['--mode', 'On'], { mode: 1 }],
    [jobCommands.set_uv!.body, ['--mode', '0'], { mode: 0 }],
    [
      jobCommands.set_flush!.body,
      ['--smart', 'save water', '--frequency', '5th'],
      { smart: 'save_water', frequency: 5 },
    ],
    [jobCommands.set_flush!.body, ['--smart', 'disabled'], { smart: null }],
    [jobCommands.set_flush!.body, ['--ids', 'A,B', '--volume', '2.5'], { ids: ['A', 'B'], volume: 2.5 }],
    [jobCommands.update_firmware!.body, ['--version', '2.3.0'], { version: '2.3.0' }],
    [jobCommands.update_firmware!.body, ['--version=--x'], { version: '--x' }],
    [cartridgeTypes.edit.body, ['--ttl', '180', '--name', '12'], { ttl: 180, name: '12' }],
    [PreviewQuery, ['--preview'], { preview: 'true' }],
    [jobs.retry.body, ['--reason', 'null'], { reason: null }],
    [jobs.create.body, ['--input', '{"locked":true}'], { input: { locked: true } }],
    [z.object({ number: z.number() }), ['--number', 'many'], { number: 'many' }],
  ])('%# %j', (schema, args, values) => {
    expect(read(schema, ...args)).toEqual(values)
  })

  test.each([
    [['--bogus'], "Unknown option '--bogus'"],
    [['--version'], "Option '--version <value>' argument missing"],
  ])('%j is refused', (args, message) => {
    expect(() => read(jobCommands.update_firmware!.body, ...args)).toThrow(message)
  })

  test('is refused as JSON that is none', () => {
    expect(() => read(jobs.create.body, '--input', '{locked}')).toThrow('--input must be JSON')
  })

  test('is checked by the schema', () => {
    expect(() => checked(jobs.retry.body, {})).toThrow('Reason is required')
    expect(() => checked(jobCommands.set_uv!.body, { ids: ['A'], mode: 7 })).toThrow('Mode must be one of 0, 1')
    expect(checked(jobCommands.set_uv!.body, { ids: ['A'], mode: 1 })).toEqual({ ids: ['A'], mode: 1 })
  })
})

describe('a policy', () => {
  const policy = (...args: string[]) => checked(JobPolicy, readArguments(args, policyOptions).valuesOf(policyOptions))
  const everyDay = [1, 2, 3, 4, 5, 6, 7]

  test.each([
    [['--waves', '1%,10%'], { waves: [{ size: '1%' }, { size: '10%' }] }],
    [
      ['--waves', '5:60, 10%:30'],
      {
        waves: [
          { size: 5, wait: 60 },
          { size: '10%', wait: 30 },
        ],
      },
    ],
    [['--waves', '[{"size":5}]'], { waves: [{ size: 5 }] }],
    [['--stop', '5%'], { stop: { failed: '5%', after: 20 } }],
    [['--stop', '5%:50'], { stop: { failed: '5%', after: 50 } }],
    [['--window', '02:00-05:00'], { window: { days: everyDay, from: '02:00', to: '05:00' } }],
    [['--window', 'sat-mon,wed@22:00-06:00'], { window: { days: [6, 7, 1, 3], from: '22:00', to: '06:00' } }],
    [['--rate', '100', '--retries', '2'], { rate: 100, retries: 2 }],
    [['--offline', '24'], { offline: 24 }],
    [['--offline', 'skip'], { offline: 'skip' }],
    [['--start', '2026-12-01T03:00:00Z'], { start: '2026-12-01T03:00:00Z' }],
    [
      ['--start', '{"rrule":"FREQ=MONTHLY;BYDAY=1SU","from":"2026-12-01T03:00:00Z","time_zone":"Europe/Berlin"}'],
      { start: { rrule: 'FREQ=MONTHLY;BYDAY=1SU', from: '2026-12-01T03:00:00Z', time_zone: 'Europe/Berlin' } },
    ],
    [['--success', '10'], { success: { minutes: 10 } }],
    [['--success', 'acknowledged'], { success: 'acknowledged' }],
  ])('%j', (args, values) => {
    expect(policy(...args)).toEqual(values)
  })

  test.each([
    [['--waves', '0%'], 'must be'],
    [['--waves', '5:soon'], 'number'],
    [['--stop', 'often'], 'must be a percentage'],
    [['--stop', '1%:2:3'], '--stop must be PERCENT'],
    [['--window', '2-5'], '--window must be'],
    [['--window', 'never@02:00-05:00'], 'the days are mon'],
    [['--window', '02:00-02:00'], 'must have a length'],
    [['--window', '{'], '--window must be JSON'],
    [['--rate', '0'], 'must be greater than or equal to 1'],
    [['--start', 'tomorrow'], 'ISO 8601'],
    [['--success', 'soon'], 'must be acknowledged'],
  ])('%j is refused', (args, message) => {
    expect(() => policy(...args)).toThrow(message)
  })
})
