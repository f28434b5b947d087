import { domainToUnicode } from 'node:url'

/** An address with its domain as people write it: `müller.de` is kept as `xn--mller-kva.de`. */
export const withReadableDomain = (address: string): string =>
  address.replace(/(?<=@|^https?:\/\/)[^/?#:]*xn--[^/?#:]*/, domain => domainToUnicode(domain) || domain)
