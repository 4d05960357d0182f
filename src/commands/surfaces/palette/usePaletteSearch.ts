import { useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { findDevices } from '../../../api/search.ts'
import { findEntities, type EntityMatch } from '../../../api/searchEntities.ts'
import type { Device } from '../../../api/contract/devices.ts'
import type { Role } from '../../../domain/roles.ts'
import { selectionState } from '../../../store/selection.ts'
import { registryState } from '../../core/registry.ts'
import { currentContext } from '../../core/context.ts'
import { searchableCommands } from '../../palette/searchable.ts'
import { modeOf, modesFor } from './paletteModes.ts'
import { useServerSearch } from './useServerSearch.ts'
import { useSections } from './useSections.ts'

const deviceText = (device: Device) => `${device.bssid}\n${device.description}\n${device.vendor.company_name}`
const entityText = ({ name, detail }: EntityMatch) => `${name}\n${detail}`
/** The shortest text that is searched for in devices; shorter ones occur in too many ids. */
const minDeviceQuery = 2

const none: readonly never[] = []
const findNothing = (): Promise<readonly EntityMatch[]> => Promise.resolve(none)

/** Returns the search for entities that the role may see; the same function for the same role. */
const useFindEntities = (role: Role | undefined) =>
  useMemo(() => (role ? (text: string, signal: AbortSignal) => findEntities(text, role, signal) : findNothing), [role])

/** Returns the palette's results for a query: commands by section, then devices, then other entities. */
export function usePaletteSearch(query: string) {
  const { version } = useSnapshot(registryState)
  const [opened] = useState(() => Date.now())
  const { version: selectionVersion } = useSnapshot(selectionState)
  // The context is not read at every keystroke, only if the selection has changed.
  const { context, all } = useMemo(() => {
    void [version, selectionVersion]
    const current = currentContext()
    return { context: current, all: searchableCommands(current, opened) }
  }, [version, selectionVersion, opened])
  const { role } = context
  const availableModes = modesFor(role)
  const mode = modeOf(query, availableModes)
  const text = mode ? query.slice(1).trimStart() : query
  const sections = useSections(text, mode === undefined || mode === '>' ? all : none, context)

  const tooShort = text.trim().length < minDeviceQuery
  const searchesDevices = mode !== '>' && mode !== '#' && availableModes.includes('@') && !tooShort
  const devices = useServerSearch(searchesDevices ? text : undefined, findDevices, deviceText)
  const entities = useServerSearch(mode === '#' ? text : undefined, useFindEntities(role), entityText)

  const entries = sections.flatMap(section => section.entries)
  const states = [devices.state, entities.state]
  const isLoading = states.includes('loading')
  const failed = states.includes('failed')
  return {
    context,
    availableModes,
    mode,
    /** The query without the sign of its mode. */
    text,
    sections,
    entries,
    devices: devices.results,
    entities: entities.results,
    /** The values of all rows, in the order shown. */
    rows: [
      ...entries.map(entry => entry.command.id),
      ...devices.results.map(({ bssid }) => bssid),
      ...entities.results.map(({ entity, id }) => `${entity} ${id}`),
    ],
    isLoading,
    failed,
    /** The text to show when there are no results. */
    empty: emptyText(isLoading, failed, mode === '@' && tooShort),
  }
}

function emptyText(isLoading: boolean, failed: boolean, tooShort: boolean): string {
  if (tooShort) return 'Type at least two characters of an id, a description or a company.'
  if (isLoading) return 'Searching…'
  return failed ? 'The server cannot be reached right now. Keep typing to try again.' : 'No results.'
}
