/**
 * What is selected, by list; it outlives paging and reloads. Kept in a plain Map beside a counter, because a proxy of
 * 100,000 entries would make each toggle slow.
 */
import { proxy, useSnapshot } from 'valtio'
import * as z from 'zod/mini'
import { readLarge, writeLarge } from './persist.ts'

/** The little that the panel and the commands need of a selected device. */
export interface PickedDevice {
  readonly id: string
  readonly vendor: string
  readonly company: string
  readonly status: number
  /** Its own wherever the device is shown while it is selected. */
  readonly colour: string
}
export type Pickable = Omit<PickedDevice, 'colour'>

const Stored = z.array(
  z.object({ id: z.string(), vendor: z.string(), company: z.string(), status: z.number(), colour: z.string() }),
)
const name = 'selection:devices'

const picked = new Map<string, PickedDevice>()
export const selectionState = proxy({ version: 0 })
/** Made once for each version: many ask at every key. */
let listed: readonly PickedDevice[] | undefined

let writing: ReturnType<typeof setTimeout> | undefined
function changed(): void {
  listed = undefined
  selectionState.version++
  clearTimeout(writing)
  // Writing waits for a pause: a held key must not copy a large selection at every stroke.
  writing = setTimeout(() => void writeLarge(name, picked.size > 0 ? [...picked.values()] : undefined), 100)
}

/** Random, but with the lightness and chroma that read on both themes. */
const randomColour = () => `oklch(66% 0.16 ${Math.floor(Math.random() * 360)})`

export const selection = {
  has: (id: string) => picked.has(id),
  get version() {
    return selectionState.version
  },
  get size() {
    return picked.size
  },
  values: (): readonly PickedDevice[] => (listed ??= [...picked.values()]),
  colourOf: (id: string): string | undefined => picked.get(id)?.colour,
  add(devices: readonly Pickable[]): void {
    for (const device of devices)
      if (!picked.has(device.id)) picked.set(device.id, { ...device, colour: randomColour() })
    changed()
  },
  remove(ids: Iterable<string>): void {
    for (const id of ids) picked.delete(id)
    changed()
  },
  toggle(device: Pickable): void {
    if (picked.has(device.id)) selection.remove([device.id])
    else selection.add([device])
  },
  keepOnly(ids: readonly string[]): void {
    const kept = new Set(ids)
    selection.remove([...picked.keys()].filter(id => !kept.has(id)))
  },
  clear(): void {
    picked.clear()
    changed()
  },
  /** Takes over newer values of devices that are selected, such as their status. */
  refresh(devices: readonly Pickable[]): void {
    let any = false
    for (const device of devices) {
      const before = picked.get(device.id)
      if (!before || (before.status === device.status && before.vendor === device.vendor)) continue
      picked.set(device.id, { ...before, ...device })
      any = true
    }
    if (any) changed()
  },
}

/** Renders again when the selection changes. */
export function useSelection(): typeof selection {
  void useSnapshot(selectionState).version
  return selection
}

/** Brings back what was selected before the reload; what has been selected since stays. */
export async function restoreSelection(): Promise<void> {
  const stored = z.safeParse(Stored, await readLarge(name))
  if (!stored.success || stored.data.length === 0) return
  for (const device of stored.data) if (!picked.has(device.id)) picked.set(device.id, device)
  listed = undefined
  selectionState.version++
}
