import type { MissingPart } from '#contracts/entities/check.ts'
import { inJudged } from '#server/foreign/index.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { absentIn, type Declared } from './absent.ts'
import { entriesOf } from './facts.ts'

const MAX_LISTED = 20
const MAX_POINTER_BYTES = 1024
const MAX_LIST_BYTES = 1024 * 1024
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n/

/** What a git commit does not hold although a project has it: submodules, and content that LFS stores elsewhere. */
export const missingFromCommit = (root: string): Promise<MissingPart[]> =>
  inJudged(root, async (folder) => {
    const parts: MissingPart[] = []
    for (const [, name] of ((await folder.textOrNull('.gitmodules', MAX_LIST_BYTES)) ?? '').matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)) {
      const found = await folder.find(name!).catch(() => null)
      const isEmpty = found === null || (found.kind === 'folder' && (await folder.list(name, 1).catch(() => [])).length === 0)
      if (isEmpty) parts.push({ file: name!, kind: 'submodule', reason: 'a submodule, whose files are in another repository' })
    }
    const names: string[] = []
    let usesLfs = false
    for await (const { name, kind } of entriesOf(folder, (inner) => !isGenerated(inner))) {
      if (kind !== 'file') continue
      names.push(name)
      if (/(^|\/)\.gitattributes$/.test(name)) usesLfs ||= /\bfilter=lfs\b/.test((await folder.textOrNull(name, MAX_LIST_BYTES)) ?? '')
    }
    if (!usesLfs) return limited(parts)
    for (const name of names.toSorted())
      if (LFS_POINTER.test((await folder.textOrNull(name, MAX_POINTER_BYTES)) ?? ''))
        parts.push({ file: name, kind: 'lfs', reason: 'only its LFS pointer is in the commit' })
    return limited(parts)
  })

/** What the user's folder has that git ignores, so no copy by git has it. A folder without other files is one part. */
export async function ignoredParts(project: string, git: Pick<Git, 'workingTree'>): Promise<MissingPart[]> {
  const tree = await git.workingTree(project).catch(() => null)
  if (tree === null) return []
  const known = new Set(tree.files)
  const folders = new Set([...tree.files, ...tree.submodules].flatMap(parentsOf))
  const inside = (name: string) => tree.submodules.some((one) => name === one || name.startsWith(`${one}/`))
  return inJudged(tree.top, async (folder) => {
    const parts: MissingPart[] = []
    const entered = (name: string): boolean => {
      if (isGenerated(name) || inside(name)) return false
      if (folders.has(name)) return true
      parts.push({ file: `${name}/`, kind: 'ignored', reason: 'git ignores it, so it is not copied' })
      return false
    }
    for await (const { name, kind } of entriesOf(folder, entered))
      if (kind === 'file' && !known.has(name) && !isGenerated(name))
        parts.push({ file: name, kind: 'ignored', reason: 'git ignores it, so it is not copied' })
    return limited(parts.toSorted((a, b) => a.file.localeCompare(b.file, 'en')))
  })
}

/** Installed packages, caches and notes of tools: tests don't need them, or they are there. */
const GENERATED = new Set(['.git', 'node_modules', '.venv', 'venv', '__pycache__', 'target', '.tox', '.nox', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.cache', '.nyc_output', 'coverage', '.turbo', '.next', '.idea', '.vscode', '.claude', '.DS_Store', '.eslintcache', '.coverage']) // prettier-ignore
const isGenerated = (name: string): boolean => {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return GENERATED.has(last) || /\.(?:pyc|log|tsbuildinfo)$/.test(last)
}

const parentsOf = (name: string): string[] => {
  const parts = name.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

const limited = (parts: MissingPart[]): MissingPart[] =>
  parts.length <= MAX_LISTED ? parts : [...parts.slice(0, MAX_LISTED), { ...parts[MAX_LISTED]!, file: `${parts.length - MAX_LISTED} more` }]

const LACKS_GIT = /not a git repository|unable to detect version for|\.git\b.*(?:no such file|not found|ENOENT)/i
const LACKS_PROGRAM = /: not found$|command not found/m

/** Whether what is not in the sandbox may be the reason of a failure with this message. */
export function mayExplain(message: string, missing: readonly MissingPart[], declared: Declared): boolean {
  if (absentIn(message, declared) !== null || LACKS_PROGRAM.test(message) || LACKS_GIT.test(message)) return true
  return missing.some(({ file, kind }) => !SEEN_IN_MESSAGES.has(kind) && names(message, file.replace(/\/$/, '')))
}

/** Their names in a message say nothing: an edit is the work's, and the others were read from messages. */
const SEEN_IN_MESSAGES: ReadonlySet<MissingPart['kind']> = new Set(['change', 'service', 'package'])

/** Whether a text has a path: not as a part of another word. */
function names(text: string, file: string): boolean {
  const isWord = (character: string | undefined) => character !== undefined && /[\w-]/.test(character)
  for (let at = text.indexOf(file); at !== -1; at = text.indexOf(file, at + 1))
    if (!isWord(text[at - 1]) && !isWord(text[at + file.length])) return true
  return false
}
