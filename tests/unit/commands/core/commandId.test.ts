/** Ids and inputs of commands are checked by the type checker: this file is held against them by tsc. */
import { expectTypeOf, test } from 'vitest'
import type { CommandId, InputOf } from '../../../../src/commands/core/commandId.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import type { run } from '../../../../src/commands/surfaces/run/run.ts'

type Again = Services['runCommand']

test('an id is one of those that are defined, whether it was written out or put together', () => {
  expectTypeOf<'device.flush'>().toExtend<CommandId>()
  expectTypeOf<'charts.week' | 'charts.leftMarked' | 'go.devices' | 'vendors.unblock'>().toExtend<CommandId>()
  expectTypeOf<'device.flsh'>().not.toExtend<CommandId>()
  expectTypeOf<string>().not.toExtend<CommandId>()
})

test('an input is that of its command', () => {
  expectTypeOf<InputOf<'charts.notification'>>().toEqualTypeOf<{ readonly id: string }>()
  expectTypeOf<{ marking: boolean }>().not.toExtend<InputOf<'charts.notification'>>()
  expectTypeOf<InputOf<'list.limit'>['limit']>().toEqualTypeOf<20 | 50 | 100 | 200 | 500 | 1000>()
  expectTypeOf<Parameters<typeof run<'charts.hide'>>[1]>().toExtend<
    { input?: { readonly device: string } } | undefined
  >()
  expectTypeOf<Parameters<Again>[0]>().not.toEqualTypeOf<string>()
})
