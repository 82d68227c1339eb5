import path from 'node:path'

/** An agent program, and where its installers put it. */
export interface AgentKind {
  /** The name on screen. */
  name: string
  command: string
  /** Environment variable with the program's path; no other path is then used. */
  variable: string
  /** Folders of its installers, in the user's home folder. */
  homeFolders: readonly string[]
  /** Possible paths of the native program that an npm script starts. */
  nativePrograms: (script: string) => string[]
}

export const CLAUDE_CODE: AgentKind = {
  name: 'Claude Code',
  command: 'claude',
  variable: 'CLAUDE_BIN',
  homeFolders: ['.local/bin', '.claude/local', '.npm-global/bin'],
  nativePrograms: () => [],
}

const PLATFORM = `${process.platform}-${process.arch}`

export const OPENCODE: AgentKind = {
  name: 'OpenCode',
  command: 'opencode',
  variable: 'OPENCODE_BIN',
  homeFolders: ['.opencode/bin', '.local/bin', '.npm-global/bin'],
  nativePrograms: (script) =>
    ['-baseline', '', '-baseline-musl', '-musl'].flatMap((variant) =>
      modulesAround(script).map((modules) => path.join(modules, `opencode-${PLATFORM}${variant}`, 'bin', 'opencode')),
    ),
}

/** Rust's name of this platform; sandboxes exist only on Linux. */
const TRIPLE = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl`

export const CODEX: AgentKind = {
  name: 'Codex',
  command: 'codex',
  variable: 'CODEX_BIN',
  homeFolders: ['.local/bin', '.npm-global/bin', '.cargo/bin'],
  nativePrograms: (script) => [
    ...modulesAround(script)
      .flatMap((modules) => [modules, path.join(modules, '@openai')])
      .map((folder) => path.join(folder, `codex-${PLATFORM}`, 'vendor', TRIPLE, 'bin', 'codex')),
    path.resolve(script, '..', '..', 'vendor', TRIPLE, 'codex', 'codex'), // up to 0.95
  ],
}

/** Folders in which npm installs the dependencies of a script's package: in the package or next to it. */
function modulesAround(script: string): string[] {
  const packageFolder = path.resolve(script, '..', '..')
  return [path.join(packageFolder, 'node_modules'), path.dirname(packageFolder)]
}
