/** The simulator's files: the fleet file, and the devices' flash memory. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Ack } from '../server/protocol/messages.ts'
import { parseJson } from '../src/domain/lib/parseJson.ts'
import { FleetDevice } from '../server/protocol/fleetFile.ts'
import type { FlashMemory } from './model/unit.ts'
import { OptionError } from './options.ts'

/** Reads certificates (PEM). Throws an `OptionError` if there are none. */
export async function readCertificates(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new OptionError(`Could not read the certificates: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new OptionError(`${path} contains no certificates`)
  return text
}

/** Reads a fleet file. Throws an `OptionError` that names the invalid line. */
export async function readFleet(path: string): Promise<FleetDevice[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new OptionError(`Could not read the fleet file: ${error instanceof Error ? error.message : String(error)}`)
  })
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const parsed = z.safeParse(FleetDevice, parseJson(line))
    if (parsed.success) return [parsed.data]
    const [issue] = parsed.error.issues
    throw new OptionError(`${path}:${index + 1} is not a valid device: ${issue?.path.join('.')} ${issue?.message}`)
  })
}

/** What is stored of one device: its flash memory and acknowledgements. */
export interface StoredDevice {
  readonly memory: FlashMemory
  /** Acknowledgements of the last commands. */
  readonly acks: readonly Ack[]
}

/** The flash memory of a fleet; only this program writes it. */
export interface FleetMemory {
  readonly version: typeof memoryVersion
  /** Simulated times at which the fleet was created (`began`) and the file was written (`at`), milliseconds UTC. */
  readonly began: number
  readonly at: number
  readonly devices: Readonly<Record<string, StoredDevice>>
}

/** Version of the memory's format; a file of another version is ignored. */
export const memoryVersion = 2

/** Returns the path of a fleet's memory, beside the fleet file. */
export const memoryPath = (fleet: string): string => `${fleet.replace(/\.jsonl$/, '')}.memory.json`

/** Returns the stored memory of the fleet, or `undefined` if it has not run before. */
export async function readMemory(fleet: string): Promise<FleetMemory | undefined> {
  const text = await readFile(memoryPath(fleet), 'utf8').catch(() => '')
  const memory = parseJson(text) as FleetMemory | undefined
  return memory?.version === memoryVersion ? memory : undefined
}

/** Writes the memory atomically. */
export async function writeMemory(fleet: string, memory: FleetMemory): Promise<void> {
  const path = memoryPath(fleet)
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, JSON.stringify(memory), { mode: 0o600 })
  await rename(temporary, path)
}
