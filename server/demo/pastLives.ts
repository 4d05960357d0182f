/** Follows the lives of the pre-filters in the past of a demo device, as the daily step would have. */
import type { Cartridge } from '../../simulator/model/cartridges.ts'
import type { Life } from '../../src/domain/health/maths/survival.ts'
import type { CartridgeKind } from '../../src/domain/health/types/cartridges.ts'
import type { HealthState } from '../../src/domain/health/types/state.ts'
import { msPerDay } from '../../src/domain/time.ts'
import { followLives, type KeptLife, type StoredLife } from '../devices/health/lives.ts'

/** A device after a day. */
interface DayAfter {
  /** Lifetime litres of feed. */
  readonly feed: number
  readonly state: HealthState
  readonly boosted: boolean
  /** Milliseconds UTC. */
  readonly now: number
}

export interface PastLives {
  /** Follows a day with data; days must be in order. */
  follow(cartridges: readonly Cartridge[], day: DayAfter): void
  /** Returns the lives in litres; a life that goes on has the litres so far. `feed`: the lifetime litres of the device. */
  soFar(feed: number): readonly Life[]
  /** Returns the lives. One that goes on is that of the cartridge that the device has now, `fitted`, with its counter. */
  end(fitted: readonly Pick<StoredLife, 'installed_at' | 'volume_before'>[]): readonly KeptLife[]
}

export function openPastLives(): PastLives {
  /** By the time of the installation, oldest first. */
  const lives = new Map<number, KeptLife>()
  return {
    follow(cartridges, day) {
      const life = [...lives.values()].at(-1)
      const newest = life === undefined ? null : { ...life, open: life.ended_at === null }
      const { kept, forgotten } = followLives(newest, {
        ...day,
        cartridges: cartridges.map(({ kind, installedAt, before }) => ({
          kind: kind as CartridgeKind,
          installed_at: installedAt,
          volume_before: before,
        })),
        dayAt: at => Math.floor(at / msPerDay),
      })
      for (const { installed_at } of forgotten) lives.delete(installed_at)
      for (const life of kept) lives.set(life.installed_at, life)
    },
    soFar: feed =>
      [...lives.values()].map(({ litres, volume_before, clogged }) => ({
        length: litres ?? Math.max(0, feed - volume_before),
        ended: clogged,
      })),
    end: fitted =>
      [...lives.values()].flatMap(life => {
        if (life.ended_at !== null) return life
        const current = fitted.find(({ installed_at }) => installed_at === life.installed_at)
        return current ? { ...life, ...current } : []
      }),
  }
}
