import path from 'node:path'
import { filesLike } from './files-like.ts'

/** A program that works as an agent, as its makers install it. */
export interface AgentKind {
  /** As a person calls it. */
  name: string
  command: string
  /** Of the environment: names the program, and wins over every other place. */
  variable: string
  /** Where its installers put it, below the home of the user. */
  homeFolders: readonly string[]
  /** The program that its script of npm starts; null: it starts none, or none that is known. */
  behind: (script: string) => string | null
}

export const CLAUDE_CODE: AgentKind = {
  name: 'Claude Code',
  command: 'claude',
  variable: 'CLAUDE_BIN',
  homeFolders: ['.local/bin', '.claude/local', '.npm-global/bin'],
  behind: () => null,
}

const PLATFORM = `${process.platform}-${process.arch}`

export const OPENCODE: AgentKind = {
  name: 'OpenCode',
  command: 'opencode',
  variable: 'OPENCODE_BIN',
  homeFolders: ['.opencode/bin', '.local/bin', '.npm-global/bin'],
  behind: (script) => {
    const packages = packagesAround(script, 'opencode-ai')
    const names = [`opencode-${PLATFORM}-baseline`, `opencode-${PLATFORM}`, `opencode-${PLATFORM}-baseline-musl`, `opencode-${PLATFORM}-musl`] // prettier-ignore
    return filesLike(names.flatMap((name) => packages.map((folder) => [folder, name, 'bin', 'opencode'])))
  },
}

export const CODEX: AgentKind = {
  name: 'Codex',
  command: 'codex',
  variable: 'CODEX_BIN',
  homeFolders: ['.local/bin', '.npm-global/bin', '.cargo/bin'],
  behind: (script) => {
    const packages = packagesAround(script, 'codex')
    return filesLike([
      ...packages.flatMap((folder) => [folder, path.join(folder, '@openai')]).map((folder) => [folder, `codex-${PLATFORM}`, 'vendor', '*', 'bin', 'codex']), // prettier-ignore
      [path.resolve(script, '..', '..'), 'vendor', '*', 'codex', 'codex'], // of older versions
    ])
  },
}

/** Where npm puts what the package of a script depends on: beside the package, or below it. */
function packagesAround(script: string, name: string): string[] {
  const own = path.resolve(script, '..', '..')
  return path.basename(own) === name ? [path.join(own, 'node_modules'), path.dirname(own)] : []
}
