import path from 'node:path'

/** A program that works as an agent, as its makers install it. */
export interface AgentKind {
  /** As a person calls it. */
  name: string
  command: string
  /** Of the environment: names the program, and wins over every other place. */
  variable: string
  /** Where its installers put it, below the home of the user. */
  homeFolders: readonly string[]
  /** Where the program may be that its script of npm starts. */
  behind: (script: string) => string[]
}

export const CLAUDE_CODE: AgentKind = {
  name: 'Claude Code',
  command: 'claude',
  variable: 'CLAUDE_BIN',
  homeFolders: ['.local/bin', '.claude/local', '.npm-global/bin'],
  behind: () => [],
}

const PLATFORM = `${process.platform}-${process.arch}`

export const OPENCODE: AgentKind = {
  name: 'OpenCode',
  command: 'opencode',
  variable: 'OPENCODE_BIN',
  homeFolders: ['.opencode/bin', '.local/bin', '.npm-global/bin'],
  behind: (script) =>
    ['-baseline', '', '-baseline-musl', '-musl'].flatMap((variant) =>
      modulesAround(script).map((modules) => path.join(modules, `opencode-${PLATFORM}${variant}`, 'bin', 'opencode')),
    ),
}

/** As Rust names this platform; sandboxes are of Linux alone. */
const TRIPLE = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl`

export const CODEX: AgentKind = {
  name: 'Codex',
  command: 'codex',
  variable: 'CODEX_BIN',
  homeFolders: ['.local/bin', '.npm-global/bin', '.cargo/bin'],
  behind: (script) => [
    ...modulesAround(script)
      .flatMap((modules) => [modules, path.join(modules, '@openai')])
      .map((folder) => path.join(folder, `codex-${PLATFORM}`, 'vendor', TRIPLE, 'bin', 'codex')),
    path.resolve(script, '..', '..', 'vendor', TRIPLE, 'codex', 'codex'), // up to 0.95
  ],
}

/** Where npm puts what the package of a script depends on: below the package, or beside it. */
function modulesAround(script: string): string[] {
  const own = path.resolve(script, '..', '..')
  return [path.join(own, 'node_modules'), path.dirname(own)]
}
