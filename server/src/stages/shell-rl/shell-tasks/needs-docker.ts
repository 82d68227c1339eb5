import { type Command, forEachChild, parse, type SyntaxNode } from 'unbash'

const USERS = new Set(['useradd', 'adduser', 'groupadd', 'addgroup', 'usermod', 'userdel', 'deluser', 'chpasswd'])
const PACKAGES = new Set(['apt', 'apt-get', 'dpkg', 'apk', 'yum', 'dnf'])
/** The last path is where they write; the others write to each path. */
const TO_LAST = new Set(['cp', 'mv', 'ln', 'install'])
const WRITERS = new Set([...TO_LAST, 'touch', 'mkdir', 'rm', 'tee', 'chmod', 'chown', 'truncate'])
const READ_ONLY = /^\/(?:usr|s?bin|lib\w*)(?:\/|$)/

/** Why a set-up needs a sandbox with a separate operating system; null if nothing says so. */
export function needsDocker(setup: readonly string[]): string | null {
  for (const command of setup) {
    const reason = reasonOf(command)
    if (reason !== null) return `The set-up ${reason}, which needs Docker.`
  }
  return null
}

function reasonOf(command: string): string | null {
  let reason: string | null = null
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command') reason ??= ofCommand(node)
    forEachChild(node, visit)
  }
  try {
    visit(parse(command))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // nested too deeply to parse
  }
  return reason
}

function ofCommand({ name, suffix, redirects }: Command): string | null {
  const program = (name?.value ?? '').replace(/^.*\//, '')
  if (USERS.has(program)) return `changes users (${program})`
  const words = suffix.flatMap((one) => (one.type === 'Word' ? [one.value] : []))
  if (PACKAGES.has(program) && words.some((word) => /^(?:-i|install|add|upgrade)$/.test(word))) return `installs packages (${program})`
  const paths = words.filter((word) => word.startsWith('/'))
  const written = !WRITERS.has(program) ? [] : TO_LAST.has(program) ? paths.slice(-1) : paths
  const redirected = redirects.flatMap((one) =>
    one.type === 'Redirect' && one.operator.includes('>') && one.target ? [one.target.value] : [],
  )
  const place = [...written, ...redirected].find((path) => READ_ONLY.test(path))
  return place === undefined ? null : `writes to ${place}`
}
