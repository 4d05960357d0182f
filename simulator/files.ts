/** The simulator's files: the fleet that it is given, and what its devices remember without power. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Ack } from '../server/protocol/messages.ts'
import { FleetDevice } from '../server/protocol/fleetFile.ts'
import type { Memory } from './model/unit.ts'
import { OptionError } from './options.ts'

/** Reads a fleet file. Throws an `OptionError` that names the line that is wrong. */
export async function readFleet(path: string): Promise<FleetDevice[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new OptionError(`The fleet cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  })
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const parsed = z.safeParse(FleetDevice, json(line))
    if (parsed.success) return [parsed.data]
    const [issue] = parsed.error.issues
    throw new OptionError(`${path}:${index + 1} is no device of a fleet: ${issue?.path.join('.')} ${issue?.message}`)
  })
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What one device keeps in its flash memory. */
export interface Flash {
  readonly memory: Memory
  /** Its answers to the last commands. */
  readonly acks: readonly Ack[]
}

/** What a fleet keeps. Written by this program alone. */
export interface FleetMemory {
  readonly version: typeof memoryVersion
  /** The devices' time when the fleet was new, and when this was written; milliseconds UTC. */
  readonly began: number
  readonly at: number
  readonly devices: Readonly<Record<string, Flash>>
}

/** Another one's memory is forgotten. */
export const memoryVersion = 1

/** Where a fleet's memory is: beside its file. */
export const memoryPath = (fleet: string): string => `${fleet.replace(/\.jsonl$/, '')}.memory.json`

/** What the fleet remembers, if it has run before. */
export async function readMemory(fleet: string): Promise<FleetMemory | undefined> {
  const text = await readFile(memoryPath(fleet), 'utf8').catch(() => '')
  const memory = json(text) as FleetMemory | undefined
  return memory?.version === memoryVersion ? memory : undefined
}

/** Writes it, whole or not at all. */
export async function writeMemory(fleet: string, memory: FleetMemory): Promise<void> {
  const path = memoryPath(fleet)
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, JSON.stringify(memory), { mode: 0o600 })
  await rename(unfinished, path)
}
