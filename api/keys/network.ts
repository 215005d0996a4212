import { isIPv6 } from 'node:net'

/**
 * Returns the subject under which an address is counted: IPv6 by /64, an IPv4-mapped address as IPv4. A purpose and a space may precede the
 * address.
 */
export function networkSubject(subject: string): string {
  if (!subject.includes(':')) return subject
  const start = subject.lastIndexOf(' ') + 1
  const network = networkOf(subject.slice(start))
  return network === undefined ? subject : subject.slice(0, start) + network
}

function networkOf(address: string): string | undefined {
  const [bare = ''] = address.split('%', 1)
  if (!isIPv6(bare)) return undefined
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare) ?? []
  if (mapped) return mapped
  const [head = '', tail] = bare.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  // A dotted quad at the end stands for two groups, which are never among the first four.
  const width = left.length + right.length + (bare.includes('.') ? 1 : 0)
  const groups = tail === undefined ? left : [...left, ...Array<string>(8 - width).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
