/** Where calls may go: which addresses of the network, and a look-up that gives no others. */
import { type LookupAddress, lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** `public`: the document names the host. `anywhere`: a setting does, and whoever runs the application may mean a host of their own. */
export type Reach = 'public' | 'anywhere'

/** Whether it is an address of the web, without a user name or password: these would stand in what is told of it. */
export const isCallable = (url: URL | null): url is URL =>
  url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''

const ranges = (all: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const range of all) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Where no service is, or only the one that gives machines their credentials. */
const never = ranges([
  ...['0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4', '::/128', 'fe80::/10', 'ff00::/8'],
  // What clouds have for their machines elsewhere, and 169.254.0.0/16 as NAT64 and 6to4 write it.
  ...['100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
  ...['64:ff9b::a9fe:0/112', '2002:a9fe::/32'],
])
/** This machine and its neighbours, and ways to them through addresses of others (Teredo, 6to4). */
const inside = ranges([
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['2001::/32', '2002::/16'],
])
/** Of IPv6 only what is routed everywhere: whatever else there is, and will be, is of some network. IPv4 within it is looked at as IPv4. */
const everywhere = ranges(['2000::/3', '0.0.0.0/0'])

/** Whether a call may go to this address of the network. */
export function mayReach(address: string, reach: Reach): boolean {
  const version = isIP(address)
  if (version === 0) return false
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (never.check(address, family)) return false
  return reach === 'anywhere' || (everywhere.check(address, family) && !inside.check(address, family))
}

/** For a host that is an address itself, which is never looked up. What a setting says literally is meant. */
export function isRefusedLiteral(hostname: string, reach: Reach): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return reach === 'public' && isIP(address) !== 0 && !mayReach(address, reach)
}

/** Resolves a name for one connection, which goes to exactly what is given here: a name that changes meanwhile gains nothing. */
export function lookupWithin(reach: Reach): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return done(error, '')
      const refused = found.find(({ address }) => !mayReach(address, reach))
      if (refused !== undefined)
        return done(new Error(`${hostname} leads to ${refused.address}, where calls may not go`), '')
      if (options.all === true) return (done as unknown as (error: null, found: LookupAddress[]) => void)(null, found)
      const [first] = found
      return done(null, first?.address ?? '', first?.family)
    })
  }
}
