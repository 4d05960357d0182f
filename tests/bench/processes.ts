/** Processor time and memory of processes, from `ps`, and more exactly from `/proc` where there is one. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

export interface Usage {
  /** Seconds of processor time. */
  readonly cpu: number
  /** Megabytes; memory shared by processes counts for each of them. */
  readonly memory: number
}

interface Process {
  readonly id: number
  readonly parent: number
  /** Kilobytes. */
  readonly resident: number
  readonly seconds: number
  readonly command: string
}

function processes(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,time=,args='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map(line => {
    const [id, parent, resident, time = '', ...command] = line.trim().split(/\s+/)
    return {
      id: Number(id),
      parent: Number(parent),
      resident: Number(resident),
      seconds: exactSeconds(Number(id)) ?? secondsOf(time),
      command: command.join(' '),
    }
  })
}

/** Parses `[days-]hours:minutes:seconds` or `minutes:seconds.hundredths`. */
function secondsOf(time: string): number {
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time]
  return clock!.split(':').reduce((all, part) => all * 60 + Number(part), 0) + Number(days) * 86_400
}

/** Ticks of the kernel's clock in a second, the same on all Linux that Node runs on. */
const ticks = 100

/** Returns a process's seconds of processor time to a hundredth; `ps` has whole seconds. Undefined without `/proc`. */
function exactSeconds(id: number): number | undefined {
  try {
    // The command's name, in parentheses, may contain spaces. User and system time are the 14th and 15th fields.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticks
  } catch {
    return undefined
  }
}

/** Returns the megabytes of processes. Shared memory counts once, or, without `/proc`, for each process. */
function proportional(all: readonly Process[]): number {
  const kilobytes = ({ id, resident }: Process): number => {
    try {
      return Number(/^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? resident)
    } catch {
      return resident
    }
  }
  return all.reduce((sum, one) => sum + kilobytes(one), 0) / 1024
}

/** Returns a process and all of its descendants. */
function familyOf(id: number): Process[] {
  const all = processes()
  const family = new Set([id])
  for (let before = 0; before !== family.size;) {
    before = family.size
    for (const one of all) if (family.has(one.parent)) family.add(one.id)
  }
  return all.filter(one => family.has(one.id))
}

/** Returns a function that reads the usage of a process and its descendants since `watch`, including ended ones. */
export function watch(id: number): () => Usage {
  const before = new Map(familyOf(id).map(one => [one.id, one.seconds]))
  const latest = new Map(before)
  return () => {
    const family = familyOf(id)
    for (const one of family) latest.set(one.id, one.seconds)
    const cpu = [...latest].reduce((sum, [one, seconds]) => sum + seconds - (before.get(one) ?? 0), 0)
    return { cpu, memory: family.reduce((sum, one) => sum + one.resident, 0) / 1024 }
  }
}

/** Returns the seconds of processor time of a process and its running descendants whose command matches. */
export const secondsOfMatching = (id: number, command: RegExp): number =>
  familyOf(id)
    .filter(one => command.test(one.command))
    .reduce((sum, one) => sum + one.seconds, 0)

/** What processes of a family used in some seconds. */
export interface Share {
  /** Percent of one core. */
  readonly cpu: number
  /** Megabytes at the end; shared memory counts once. */
  readonly memory: number
}

/**
 * Measures a process and its descendants for `milliseconds`, apart by whether their command matches `apart`. Processes that
 * begin or end meanwhile count from or up to that.
 */
export async function shareOf(
  id: number,
  milliseconds: number,
  apart: RegExp,
): Promise<{ readonly matching: Share; readonly others: Share }> {
  const before = new Map(familyOf(id).map(one => [one.id, one.seconds]))
  const started = performance.now()
  await wait(milliseconds)
  const after = familyOf(id)
  const seconds = (performance.now() - started) / 1000
  const share = (all: readonly Process[]): Share => ({
    cpu: (all.reduce((sum, one) => sum + one.seconds - (before.get(one.id) ?? 0), 0) / seconds) * 100,
    memory: proportional(all),
  })
  return {
    matching: share(after.filter(({ command }) => apart.test(command))),
    others: share(after.filter(({ command }) => !apart.test(command))),
  }
}

/** Milliseconds after which a server counts as settled even if it is not, and of one look at whether it is. */
export const settlesWithin = 120_000
const look = 5_000
/** Percent of a core that a server uses at most in three looks one after the other once it has settled. */
const settledBelow = 15

const none = /(?!)/

/**
 * Waits until a process and its descendants, without those whose command matches `apart`, have used little for a while. Returns
 * the seconds that took.
 */
export async function settle(id: number, apart = none): Promise<number> {
  const started = performance.now()
  for (let quiet = 0; quiet < 3 && performance.now() - started < settlesWithin;) {
    const { others } = await shareOf(id, look, apart)
    quiet = others.cpu < settledBelow ? quiet + 1 : 0
  }
  return (performance.now() - started) / 1000
}
