/** What can be called, from the contract: the resources with their actions, and the commands that jobs carry out. */
import { keyAccess } from '../src/api/contract/apiKeys.ts'
import type { Endpoint } from '../src/api/contract/endpoint.ts'
import { resources } from '../src/api/contract/all/endpoints.ts'
import { jobCommands, sendingCommands } from '../src/api/contract/jobs.ts'
import { typedName } from './words.ts'

type Named<Value> = ReadonlyMap<string, Value>

/** A command for many devices, which becomes a job. */
export interface DeviceCommand {
  /** Its name in the contract. */
  readonly command: string
  /** The call that it makes on each device, whose body has its values. */
  readonly endpoint: Endpoint
}

/** The commands for devices, by the name that is typed: `flush`, `update-firmware`. */
export const deviceCommands: Named<DeviceCommand> = new Map(
  Object.entries(jobCommands).map(([command, endpoint]) => [typedName(command), { command, endpoint }]),
)

const sent = new Set<Endpoint>(Object.values(sendingCommands))
/** Calls that an API key may make, without streams, which do not end, and what is sent to devices: jobs do that. */
const isAction = (endpoint: Endpoint) => keyAccess(endpoint) !== undefined && !endpoint.stream && !sent.has(endpoint)

/** The actions by the name of their resource and their own: `devices` → `list`. */
export const actions: Named<Named<Endpoint>> = new Map(
  Object.entries(resources).flatMap(([resource, group]) => {
    const usable = Object.entries<Endpoint>(group).filter(([, endpoint]) => isAction(endpoint))
    const named = new Map(usable.map(([name, endpoint]) => [typedName(name), endpoint]))
    return named.size === 0 ? [] : [[typedName(resource), named] as const]
  }),
)
