import { useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { findDevices } from '../../../api/search.ts'
import { findEntities } from '../../../api/searchEntities.ts'
import type { Device } from '../../../api/contract/devices.ts'
import type { Role } from '../../../domain/roles.ts'
import { registryState } from '../../core/registry.ts'
import { currentContext } from '../../core/context.ts'
import { candidates } from '../../palette/search.ts'
import { modeOf, modesFor } from './paletteModes.ts'
import { useFinds } from './usePaletteFinds.ts'
import { useSections } from './useSections.ts'

const wordsOfDevice = (device: Device) => `${device.bssid}\n${device.description}\n${device.vendor.company_name}`
const wordsOfThing = (thing: { name: string; detail: string }) => `${thing.name}\n${thing.detail}`
/** Fewer characters are in too many ids. */
const minForDevices = 2

const none: readonly never[] = []
const nothingThere = () => Promise.resolve<Awaited<ReturnType<typeof findEntities>>>([])

/** Finds what the role may see; the same function for as long as the role stays. */
const useThings = (role: Role | undefined) =>
  useMemo(() => (role ? (text: string, signal: AbortSignal) => findEntities(text, role, signal) : nothingThere), [role])

/** What the palette finds for a query: commands by section, then devices, then what they are made of. */
export function usePaletteSearch(query: string) {
  const { version } = useSnapshot(registryState)
  const [opened] = useState(() => Date.now())
  // What is selected cannot change while the palette has the keys, so one look at it serves every keystroke.
  const { context, all } = useMemo(() => {
    void version
    const now = currentContext()
    return { context: now, all: candidates(now, opened) }
  }, [version, opened])
  const { role } = context
  const offered = modesFor(role)
  const mode = modeOf(query, offered)
  const text = mode ? query.slice(1).trimStart() : query
  const sections = useSections(text, mode === undefined || mode === '>' ? all : none, context)

  const short = text.trim().length < minForDevices
  const ofDevices = mode !== '>' && mode !== '#' && offered.includes('@') && !short
  const devices = useFinds(ofDevices ? text : undefined, findDevices, wordsOfDevice)
  const things = useFinds(mode === '#' ? text : undefined, useThings(role), wordsOfThing)

  const entries = sections.flatMap(section => section.entries)
  const asking = devices.state === 'asking' || things.state === 'asking'
  const failed = devices.state === 'failed' || things.state === 'failed'
  return {
    context,
    offered,
    mode,
    /** The query without the sign of its mode. */
    text,
    sections,
    entries,
    devices: devices.found,
    things: things.found,
    /** The value of each row, in their order. */
    rows: [
      ...entries.map(entry => entry.command.id),
      ...devices.found.map(({ bssid }) => bssid),
      ...things.found.map(thing => `${thing.entity} ${thing.id}`),
    ],
    asking,
    failed,
    /** What is said where nothing is found. */
    empty: emptyText(asking, failed, mode === '@' && short),
  }
}

function emptyText(asking: boolean, failed: boolean, short: boolean): string {
  if (short) return 'Type two characters of an id, a description or a company.'
  if (asking) return 'Searching…'
  return failed ? 'The server cannot be reached right now. Type on to try again.' : 'Nothing is called that.'
}
