/** Settings that prevent installed hooks from running. Options such as `--bare` do too, but no file shows them. */
import fs from 'node:fs'
import path from 'node:path'
import { decodeUtf8, member, parseJsonText, stringOf, type JsonNode } from './json-text.ts'

export interface Problem {
  kind: string
  message: string
}

/** Folders with the administrator's settings, which override every other file. */
export function managedFoldersOf(platform: NodeJS.Platform): readonly string[] {
  return platform === 'darwin' ? ['/Library/Application Support/ClaudeCode'] : ['/etc/claude-code']
}

/** Every managed file of a folder: the main file, then the drop-ins in order. */
function managedFiles(folder: string): string[] {
  const dropIns = path.join(folder, 'managed-settings.d')
  let names: string[] = []
  try {
    names = fs.readdirSync(dropIns).filter((name) => name.endsWith('.json'))
  } catch {
    // No drop-ins, or no permission; the client runs as the same user, so it cannot read them either.
  }
  return [path.join(folder, 'managed-settings.json'), ...names.toSorted().map((name) => path.join(dropIns, name))]
}

/** Null if the file is missing, unreadable or not JSON. */
function parseIfReadable(file: string): JsonNode | null {
  try {
    return parseJsonText(decodeUtf8(fs.readFileSync(file)))
  } catch {
    return null
  }
}

const isTrue = (node: JsonNode, key: string) => {
  const value = member(node, key)?.value
  return value?.kind === 'boolean' && value.value === true
}
const isSet = (node: JsonNode, name: string) => !['', '0', 'false', null].includes(stringOf(member(node, 'env')?.value, name))

/** Reads the user's and the administrator's settings. */
export function offSwitches(options: { settingsFile: string; managedFolders: readonly string[] }): Problem[] {
  const managed = options.managedFolders.flatMap(managedFiles)
  const localSettings = path.join(path.dirname(options.settingsFile), 'settings.local.json')
  return [options.settingsFile, ...(path.basename(options.settingsFile) === 'settings.json' ? [localSettings] : []), ...managed].flatMap(
    (file) => {
      const node = parseIfReadable(file)
      if (node === null) return []
      const isManaged = managed.includes(file)
      const problems: Problem[] = []
      if (isTrue(node, 'disableAllHooks')) {
        problems.push({ kind: 'hooks_disabled', message: `All hooks are disabled: "disableAllHooks" is true in ${file}.` })
      }
      if (isManaged && isTrue(node, 'allowManagedHooksOnly')) {
        problems.push({
          kind: 'hooks_disabled',
          message: `Only hooks set by your administrator run: "allowManagedHooksOnly" is true in ${file}.`,
        })
      }
      const plugins = member(node, 'strictPluginOnlyCustomization')?.value
      if (isManaged && plugins !== undefined && (isTrue(node, 'strictPluginOnlyCustomization') || listsHooks(plugins))) {
        problems.push({ kind: 'hooks_disabled', message: `Only plugin hooks run: "strictPluginOnlyCustomization" is set in ${file}.` })
      }
      if (isSet(node, 'CLAUDE_CODE_SIMPLE')) {
        problems.push({ kind: 'hooks_disabled', message: `All hooks are disabled: CLAUDE_CODE_SIMPLE is set under "env" in ${file}.` })
      }
      if (isSet(node, 'CLAUDE_CODE_SKIP_PROMPT_HISTORY')) {
        problems.push({
          kind: 'no_transcripts',
          message: `Claude Code writes no transcripts, so sessions cannot be archived: CLAUDE_CODE_SKIP_PROMPT_HISTORY is set under "env" in ${file}.`,
        })
      }
      return problems
    },
  )
}

const listsHooks = (node: JsonNode) => node.kind === 'array' && node.items.some((item) => item.kind === 'string' && item.value === 'hooks')

/** The variables that the administrator's settings give to the client. */
export const managedVariables = (folders: readonly string[]): string[] =>
  folders.flatMap(managedFiles).flatMap((file) => {
    const node = parseIfReadable(file)
    const env = node === null ? undefined : member(node, 'env')?.value
    return env?.kind === 'object' ? env.members.map(({ key }) => key) : []
  })
