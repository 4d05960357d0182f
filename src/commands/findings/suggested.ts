/** What is offered with a finding, by its cause: its advice as a command on its device. */
import { devices } from '../../api/contract/devices.ts'
import type { Finding } from '../../api/contract/findings.ts'
import { models } from '../../api/contract/models.ts'
import { itemOf } from '../../api/lists.ts'
import type { Capability } from '../../domain/device.ts'
import { causeTexts, type CauseAction } from '../../domain/health/texts/causes.ts'
import type { IconName } from '../../domain/iconName.ts'
import type { Services } from '../core/types.ts'
import { cartridgesToReplace } from './cartridgesToReplace.ts'

const presentations: Readonly<Record<CauseAction, { readonly title: string; readonly icon: IconName }>> = {
  stop: { title: 'Stop the water', icon: 'valve' },
  replace: { title: 'Plan replacement', icon: 'cartridge' },
  explain: { title: 'Explain', icon: 'search' },
}

/** Returns the title and the icon of what is offered with a finding. */
export const actionOfFinding = ({ cause }: Pick<Finding, 'cause'>) => presentations[causeTexts[cause].action]

/** Runs what is offered with a finding. Rejects with ApiError if its device was deleted. */
export async function actOn(finding: Finding, { call, runCommand }: Services): Promise<void> {
  const { cause, bssid } = finding
  const device = await call(devices.detail, { params: { bssid } })
  const targets = [itemOf('devices', device)]
  // Not awaited, because commands have their own prompts, progress and outcome.
  switch (causeTexts[cause].action) {
    case 'stop': {
      const can = await capabilitiesOf(device.model, call)
      if (can.includes('lock') && !can.includes('valve')) void runCommand('device.lock', {}, targets)
      else void runCommand('device.valve', { valve_closed: true }, targets)
      return
    }
    case 'replace':
      void runCommand('device.replaceCartridges', { chosen: cartridgesToReplace([finding]) }, targets)
      return
    case 'explain':
      void runCommand('health.explain', {}, targets)
  }
}

/** Returns what the devices of a model can do; nothing if the model is not offered to the caller. */
async function capabilitiesOf(
  { _id, name }: { readonly _id: string; readonly name: string },
  call: Services['call'],
): Promise<readonly Capability[]> {
  const { data } = await call(models.list, { query: { search: name, column: 'name', operator: 'eq', limit: 100 } })
  return data.find(model => model._id === _id)?.capabilities ?? []
}
