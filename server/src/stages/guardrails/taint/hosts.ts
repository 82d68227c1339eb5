/** Names that everybody uses, which say nothing by themselves. */
const COMMON = new Set(
  'github.com raw.githubusercontent.com gist.github.com gitlab.com bitbucket.org npmjs.com npmjs.org pypi.org files.pythonhosted.org crates.io google.com stackoverflow.com docker.io hub.docker.com deb.debian.org archive.ubuntu.com example.com'.split(
    ' ',
  ),
)
const LOCAL =
  /^(?:localhost|0\.0\.0\.0|127\.\d.*|10\.\d.*|192\.168\..*|169\.254\..*|::1|\[.*|.*\.local|.*\.localhost|host\.docker\.internal)$/

/** Whether a host alone says nothing about where a command comes from. `local`: asked of this machine and its network only. */
export function isPlainHost(host: string, which: 'any' | 'local' = 'any'): boolean {
  const name = host.toLowerCase()
  return LOCAL.test(name) || (which === 'any' && (COMMON.has(name) || name.startsWith('registry.')))
}
