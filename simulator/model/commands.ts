/** Executes the commands that a unit receives. */
import type { DeviceCommand } from '../../server/protocol/commands.ts'
import { changedSetting, initialSettings } from '../../server/protocol/settings.ts'
import { beginUpdate } from './firmware.ts'
import { canRun, type Settings, type Unit } from './unit.ts'
import { endPhase, flush } from './water.ts'

/**
 * Executes a command. Returns `undefined`, or the reason for which the unit refuses it, as a sentence for a person.
 */
export function applyCommand(unit: Unit, command: DeviceCommand): string | undefined {
  if (unit.updating !== undefined) return 'Refused: the device is updating its firmware'
  const { flashMemory, water } = unit
  const set = (values: Partial<Settings>) => {
    flashMemory.settings = { ...flashMemory.settings, ...values }
    if (water.phase === 'drawing' && !canRun(unit)) endPhase(unit)
  }
  switch (command.type) {
    case 'flush':
      if (water.phase !== 'flushing') flush(unit)
      break
    case 'reboot':
      if (water.phase !== 'idle') endPhase(unit)
      break
    case 'lock':
      set({ locked: command.locked })
      break
    case 'valve':
      set({ valve_closed: command.closed })
      break
    case 'reset':
      // The lock stays, because the vendor has set it.
      set({ ...initialSettings, ...(command.scope === 'factory' ? { valve_closed: false } : {}) })
      break
    case 'update_firmware': {
      const outcome = unit.updateOutcome(command.version)
      if (outcome === 'refused') return 'Refused: the firmware has a wrong checksum'
      if (water.phase !== 'idle') endPhase(unit)
      flashMemory.failedUpdate = null
      unit.updating = beginUpdate(command.version, unit.at, unit.rng, outcome)
      break
    }
    default:
      set(changedSetting(flashMemory.settings, command))
  }
  return undefined
}
