/** Groups of client addresses that belong to one network, by which limits count. */
import { isIPv6 } from 'node:net'

/** Returns an address without its zone (`%eth0`, an interface of this machine), and IPv4 without the prefix `::ffff:`. */
export function plainAddress(address: string): string {
  const plain = address.split('%', 1)[0]!
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain
}

/** Groups of an IPv6 address, of 16 bits each, that name its network: one customer gets at least a whole /64. */
const networkGroups = 4

/**
 * Returns the group of a client's address: an IPv4 address itself, of an IPv6 address its /64. An IPv4 address that is
 * mapped into IPv6 counts as IPv4. A text that is no address is returned unchanged.
 */
export function addressGroup(address: string): string {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain
  const groups = groupsOf(plain)
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:65535') return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const network = groups.slice(0, networkGroups).map(group => group.toString(16))
  return `${network.join(':')}::/64`
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes an address in its shortest form, with dotted parts as groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const parse = (part = '') => (part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16)))
  const [first, last] = [parse(head), parse(tail)]
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}
