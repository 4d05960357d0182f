/** Processor time and memory of processes, from `ps`. */
import { execFileSync } from 'node:child_process'

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
}

function processes(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,time='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map(line => {
    const [id, parent, resident, time = ''] = line.trim().split(/\s+/)
    return { id: Number(id), parent: Number(parent), resident: Number(resident), seconds: secondsOf(time) }
  })
}

/** Parses `[days-]hours:minutes:seconds` or `minutes:seconds.hundredths`. */
function secondsOf(time: string): number {
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time]
  return clock!.split(':').reduce((all, part) => all * 60 + Number(part), 0) + Number(days) * 86_400
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
