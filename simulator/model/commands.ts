/** What a unit does when it is told to. */
import type { DeviceCommand } from '../../server/protocol/commands.ts'
import { beginUpdate } from './firmware.ts'
import { canRun, type Settings, type Unit } from './unit.ts'
import { flush, stop } from './water.ts'

/** As a unit leaves the factory; the vendor's lock is the vendor's and stays. */
const defaults: Omit<Settings, 'locked' | 'valve_closed'> = {
  flush: { smart: null, mode: 0, frequency: 5, duration: 18, volume: 0 },
  idle_protection: 0,
  bypass: { smart: 0, state: 0 },
  uv: 0,
}

/** Does what is told. Returns the reason, in a sentence for a person, why it does not. */
export function applyCommand(unit: Unit, command: DeviceCommand): string | undefined {
  if (unit.updating !== undefined) return 'Refused: the device is updating its firmware'
  const { memory, water } = unit
  const set = (values: Partial<Settings>) => {
    memory.settings = { ...memory.settings, ...values }
    if (water.phase === 'drawing' && !canRun(unit)) stop(unit)
  }
  switch (command.type) {
    case 'flush':
      if (water.phase !== 'flushing') flush(unit)
      break
    case 'reboot':
      if (water.phase !== 'idle') stop(unit)
      break
    case 'lock':
      set({ locked: command.locked })
      break
    case 'valve':
      set({ valve_closed: command.closed })
      break
    case 'reset':
      set({ ...defaults, ...(command.scope === 'factory' ? { valve_closed: false } : {}) })
      break
    case 'set_flush':
      set({ flush: { ...memory.settings.flush, ...given(command.settings) } })
      break
    case 'set_idle_protection':
      set({ idle_protection: command.duration })
      break
    case 'set_bypass': {
      const { smart, state } = command
      set({ bypass: { ...memory.settings.bypass, ...given({ smart, state }) } })
      break
    }
    case 'set_uv':
      set({ uv: command.mode })
      break
    case 'update_firmware':
      if (water.phase !== 'idle') stop(unit)
      memory.failedUpdate = null
      unit.updating = beginUpdate(command.version, unit.at, unit.dice)
      break
  }
  return undefined
}

/** Those of the values that are given. */
const given = <Values extends object>(values: Values): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>
  }
