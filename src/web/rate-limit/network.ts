/** Whom the rate limit counts an address as. */
import { isIPv6 } from 'node:net'

/**
 * Whom an address is counted as. One household, or one rented machine, has 2^64 addresses of IPv6: they count as one. Some proxies put
 * the port behind it, which is another with each connection.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  const mapped = /^::ffff:([\d.]+)$/i.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(bare)) return bare
  const [head = '', tail = ''] = bare.replace(/%.*$/, '').split('::')
  const [left, right] = [head, tail].map(part => (part === '' ? [] : part.split(':'))) as [string[], string[]]
  const all = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${all
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
