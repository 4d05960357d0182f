/** What processes take of the machine, by `ps`. */
import { execFileSync } from 'node:child_process'

export interface Usage {
  /** Seconds of processor time since the processes began. */
  readonly cpu: number
  /** Megabytes. */
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

/** `[days-]hours:minutes:seconds`, or `minutes:seconds.hundredths`. */
function secondsOf(time: string): number {
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time]
  return clock!.split(':').reduce((all, part) => all * 60 + Number(part), 0) + Number(days) * 86_400
}

/** Of a process and all that it has started. Memory that they share counts for each of them. */
export function usageOf(id: number): Usage {
  const all = processes()
  const family = new Set([id])
  for (let before = 0; before !== family.size;) {
    before = family.size
    for (const one of all) if (family.has(one.parent)) family.add(one.id)
  }
  const own = all.filter(one => family.has(one.id))
  const sum = (of: (one: Process) => number) => own.reduce((total, one) => total + of(one), 0)
  return { cpu: sum(one => one.seconds), memory: sum(one => one.resident) / 1024 }
}
