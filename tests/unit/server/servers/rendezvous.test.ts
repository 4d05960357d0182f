/** How keys are divided among servers. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rendezvous } from '../../../../server/servers/rendezvous.ts'

/** The devices of a fleet, whose addresses differ in few characters. */
const fleet = Array.from({ length: 4_000 }, (_, at) => {
  const digits = at.toString(16).padStart(4, '0').toUpperCase()
  return `A0:B1:C2:D3:${digits.slice(0, 2)}:${digits.slice(2)}`
})
const someServers = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 12 })

test('all servers choose the same one for a key, in whatever order they know each other', () => {
  fc.assert(
    fc.property(someServers, fc.string(), (servers, key) => {
      const chosen = rendezvous(servers)(key)
      expect(servers).toContain(chosen)
      expect(rendezvous(servers.toReversed())(key)).toBe(chosen)
    }),
  )
})

test('a server that leaves gives away its own keys only, and one that comes takes only its own', () => {
  fc.assert(
    fc.property(someServers, fc.uuid(), (servers, other) => {
      fc.pre(!servers.includes(other))
      const [without, having] = [rendezvous(servers), rendezvous([...servers, other])]
      for (const bssid of fleet) {
        const chosen = having(bssid)
        if (chosen !== other) expect(without(bssid)).toBe(chosen)
      }
    }),
    { numRuns: 20 },
  )
})

test('each server has about the same share of a fleet', () => {
  fc.assert(
    fc.property(someServers, servers => {
      const ownerOf = rendezvous(servers)
      const fair = fleet.length / servers.length
      const shares = Map.groupBy(fleet, bssid => ownerOf(bssid))
      // Six standard deviations of a share by chance.
      const spread = 6 * Math.sqrt(fair * (1 - 1 / servers.length))
      for (const server of servers)
        expect(Math.abs((shares.get(server)?.length ?? 0) - fair)).toBeLessThanOrEqual(spread)
    }),
    { numRuns: 50 },
  )
})

test('without servers nobody has a key', () => {
  expect(rendezvous([])('A0:B1:C2:D3:00:00')).toBeUndefined()
})
