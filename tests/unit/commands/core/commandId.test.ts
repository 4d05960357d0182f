/** Type tests of command ids and inputs, which tsc checks. */
import { expectTypeOf, test } from 'vitest'
import type { CommandId, InputOf } from '../../../../src/commands/core/commandId.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import type { run } from '../../../../src/commands/surfaces/run/run.ts'

type RunCommand = Services['runCommand']

test('CommandId contains exactly the defined ids, including generated ones', () => {
  expectTypeOf<'device.flush'>().toExtend<CommandId>()
  expectTypeOf<'charts.week' | 'charts.leftMarked' | 'go.devices' | 'vendors.unblock'>().toExtend<CommandId>()
  expectTypeOf<'device.flsh'>().not.toExtend<CommandId>()
  expectTypeOf<string>().not.toExtend<CommandId>()
})

test('InputOf is the input of its command', () => {
  expectTypeOf<InputOf<'charts.notification'>>().toEqualTypeOf<{ readonly id: string }>()
  expectTypeOf<{ marking: boolean }>().not.toExtend<InputOf<'charts.notification'>>()
  expectTypeOf<InputOf<'list.limit'>['limit']>().toEqualTypeOf<20 | 50 | 100 | 200 | 500 | 1000>()
  expectTypeOf<Parameters<typeof run<'charts.hide'>>[1]>().toExtend<
    { input?: { readonly device: string } } | undefined
  >()
  expectTypeOf<Parameters<RunCommand>[0]>().not.toEqualTypeOf<string>()
})
