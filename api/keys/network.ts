import { isIPv6 } from 'node:net'

/** Rate limit key of an address, also with a purpose and a space before it: IPv6 by /64, an IPv4-mapped address as IPv4. */
export function networkSubject(subject: string): string {
  if (!subject.includes(':')) return subject
  const start = subject.lastIndexOf(' ') + 1
  const network = networkOf(subject.slice(start))
  return network === undefined ? subject : subject.slice(0, start) + network
}

function networkOf(address: string): string | undefined {
  const bare = address.split('%', 1)[0]!
  if (!isIPv6(bare)) return undefined
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  if (mapped) return mapped[1]!
  const [head = '', tail] = bare.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  // A dotted quad at the end is two groups; it is never among the first four.
  const width = left.length + right.length + (bare.includes('.') ? 1 : 0)
  const groups = tail === undefined ? left : [...left, ...Array<string>(8 - width).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
