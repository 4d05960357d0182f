/** The preview of a script: it names the values that the steps are about to send. */
import { cleanup, render, screen } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { devices } from '../../../../../src/api/contract/devices.ts'
import { withMeta } from '../../../../../src/api/contract/fields.ts'
import { defineCommand } from '../../../../../src/commands/core/defineCommand.ts'
import { bulkOperation } from '../../../../../src/commands/core/execution/operation.ts'
import { register, unregister } from '../../../../../src/commands/core/registry.ts'
import { someDevices } from '../../../../../src/commands/core/targetNeeds.ts'
import { ScriptPreviewDialog } from '../../../../../src/commands/surfaces/scripts/ScriptPreviewDialog.tsx'
import type { Step } from '../../../../../src/store/scripts/recording.ts'

const paint = defineCommand({
  id: 'test.paintModel',
  title: 'Paint',
  entity: 'devices',
  group: 'control',
  on: [],
  needs: someDevices,
  endpoint: devices.lock,
  args: z.object({ model: withMeta(z.string(), { label: 'Model' }), coats: z.optional(z.number()) }),
  choices: {
    model: () => [
      { value: 'm1', name: 'RO-400 Home' },
      { value: 'm2', name: 'Marine' },
    ],
  },
  operation: () => bulkOperation(devices.lock, { locked: true }),
})
beforeAll(() => register([paint]))
afterAll(() => unregister(new Set([paint.id])))
afterEach(cleanup)

const recorded: Step = { command: paint.id, input: { model: 'm1' }, ask: [], names: { model: 'RO-400 Home' } }

function preview(step: Step, input: Step['input']) {
  const plan = { affected: ['a'], skipped: [] }
  const target = { id: 'a', name: 'a', vendor: 'v', company: 'C', status: 0, platform: 'esp32' }
  const ready = {
    index: 0,
    command: paint,
    input,
    policy: undefined,
    targets: [target],
    question: undefined,
    blocked: undefined,
    dryRun: () => Promise.resolve(plan),
  }
  const script = { name: 'Refit', go_on: false, steps: [step] }
  render(
    <ScriptPreviewDialog
      preview={{ script, results: [], steps: [ready], plans: [plan], changed: [], answer: () => undefined }}
    />,
  )
}

test('an argument that was asked is named as it was chosen, not as it was recorded', async () => {
  preview({ ...recorded, ask: ['model'] }, { model: 'm2' })
  expect(screen.queryByText(/RO-400 Home/)).toBeNull()
  expect(await screen.findByText('Model: Marine')).toBeTruthy()
})

test('a recorded value that is not among the options keeps its name', async () => {
  preview({ ...recorded, input: { model: 'm9' }, names: { model: 'Retired' } }, { model: 'm9' })
  expect(await screen.findByText('Model: Retired')).toBeTruthy()
})

test('a stored name that is not that of the value gives way to the current one', async () => {
  preview({ ...recorded, input: { model: 'm2' } }, { model: 'm2' })
  expect(await screen.findByText('Model: Marine')).toBeTruthy()
})

test('an amount has no other name', () => {
  preview({ ...recorded, input: { coats: 36 }, names: { coats: '9' } }, { coats: 36 })
  expect(screen.getByText(/: 36$/)).toBeTruthy()
})
