import { isLoopback } from '#server/adapters/tools/loopback.ts'

/** Hosts of public repositories, from which a clone takes but to which nothing of the user is sent. */
const REPOSITORY_HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'huggingface.co'])
/** Where set-up commands of projects usually install packages from. */
const PACKAGE_HOSTS = new Set([
  'pypi.org',
  'files.pythonhosted.org',
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'crates.io',
  'index.crates.io',
  'static.crates.io',
  'proxy.golang.org',
  'sum.golang.org',
  'rubygems.org',
  'repo.maven.apache.org',
  'deb.debian.org',
])

/** An address that every parser reads in the same way; null for others. */
function plainUrl(address: string): URL | null {
  const url = /[\s\\\p{Cc}]/u.test(address) ? null : URL.parse(address)
  return url && url.username === '' && url.password === '' && !address.includes('@') ? url : null
}

/** Whether a server is on this machine. */
export function isHere(address: string): boolean {
  const url = plainUrl(address)
  return url !== null && /^https?:$/.test(url.protocol) && isLoopback(url.hostname)
}

/** Whether a name or address is only reachable from this machine. */
export const isHereOnly = (host: string): boolean => isLoopback(host) || host === '::1'

/** Whether a repository is on a well-known host of public repositories. */
export function isPublicRepository(address: string): boolean {
  const url = plainUrl(address)
  return url !== null && url.protocol === 'https:' && url.port === '' && REPOSITORY_HOSTS.has(url.hostname)
}

/** Whether `host:port` is a well-known source of packages. */
export const isPackageSource = (address: string): boolean => address.endsWith(':443') && PACKAGE_HOSTS.has(address.slice(0, -':443'.length))
