/** Decides which addresses a name may have. */
import { BlockList, isIP, isIPv4 } from 'node:net'
import os from 'node:os'

/** IPv4 ranges that are not single hosts of the public internet (IANA special-purpose registry). */
const NOT_PUBLIC_4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
/** IPv6 has one public range; these parts of it are for documentation, or contain IPv4 addresses. */
const PUBLIC_6 = '2000::/3'
const NOT_PUBLIC_6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'

const notPublic = listOf(NOT_PUBLIC_4, NOT_PUBLIC_6)
const public6 = listOf('', PUBLIC_6)

/** Also false for the addresses of this machine, because its servers are not meant for a sandbox. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || notPublic.check(address, family === 4 ? 'ipv4' : 'ipv6')) return false
  if (family === 6 && !public6.check(address, 'ipv6')) return false
  return !Object.values(os.networkInterfaces()).some((all) => all?.some((one) => one.address === address))
}

/** Whether a host is an IP address or `localhost`, so that it needs no lookup. */
export const isLiteral = (host: string): boolean => isIPv4(host) || host === 'localhost'

function listOf(four: string, six: string): BlockList {
  const list = new BlockList()
  for (const [text, family] of [
    [four, 'ipv4'],
    [six, 'ipv6'],
  ] as const)
    // prettier-ignore
    for (const range of text.split(' ').filter(Boolean)) {
      const [address, bits] = range.split('/') as [string, string]
      list.addSubnet(address, Number(bits), family)
    }
  return list
}
