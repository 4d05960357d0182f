/** Commands that set the units in which readings are shown. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { flowOf, gallonFlows, units, type Quantity } from '../../domain/units.ts'
import { preferences } from '../../store/preferences.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'
import { nothing } from '../core/needs.ts'

const gallonsChosen: Needs<undefined> = () =>
  preferences.units.volume === 'gal' ? { target: undefined } : { blocked: 'Flow is in l/min while volume is in litres' }

/** Flow has no unit of its own while volume is in litres, so its command is defined separately. */
type IndependentQuantity = Exclude<Quantity, 'flow'>
const unitNames = <Q extends IndependentQuantity>(quantity: Q) => {
  const choices = units[quantity]
  return {
    values: Object.keys(choices) as (keyof typeof choices)[],
    names: Object.values(choices).map(unit => unit.symbol),
  }
}

/** Returns the command for the unit of one quantity. Each has its own, so that a unit is set with a single argument. */
const unitCommand = (quantity: IndependentQuantity, title: string, keywords: readonly string[]) => {
  const { values, names } = unitNames(quantity)
  return defineCommand({
    id: `units.${quantity}`,
    title: `Change ${title} unit`,
    group: 'view',
    icon: 'units',
    keywords,
    on: ['units'],
    roles: deviceRoles,
    needs: nothing,
    args: z.object({ unit: withMeta(z.enum(values), { label: 'Unit', names }) }),
    run(_, { unit }) {
      const chosenUnits: Record<Quantity, string> = preferences.units
      chosenUnits[quantity] = unit
      if (quantity === 'volume') preferences.units.flow = flowOf(unit, preferences.units.flow)
    },
  })
}

export const unitCommands = [
  unitCommand('volume', 'volume', ['litres', 'gallons']),
  defineCommand({
    id: 'units.flow',
    title: 'Change flow unit',
    group: 'view',
    icon: 'units',
    keywords: ['gallons per minute', 'fluid ounces'],
    on: ['units'],
    roles: deviceRoles,
    needs: gallonsChosen,
    args: z.object({
      unit: withMeta(z.enum(gallonFlows), { label: 'Unit', names: gallonFlows.map(flow => units.flow[flow].symbol) }),
    }),
    run(_, { unit }) {
      preferences.units.flow = unit
    },
  }),
  unitCommand('temperature', 'temperature', ['celsius', 'fahrenheit']),
  unitCommand('pressure', 'pressure', ['bar', 'psi']),
  unitCommand('concentration', 'TDS', ['ppm', 'gpg', 'salinity', 'concentration']),
]
