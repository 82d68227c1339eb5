import type { CheckKind } from '#contracts/entities/score.ts'
import {
  BUILD_WORDS,
  FILE_FILLERS,
  FILE_TEST_WORDS,
  LINT_WORDS,
  NO_BUILD_OR_LINT,
  NON_TEST_WORDS,
  NON_TEST_FILE_WORDS,
  NON_TEST_WORDS_UNLESS_TEST_FIRST,
  STYLE_CHECKS,
  STYLE_WORDS,
  TEST_FOLDERS,
  TEST_WORDS,
} from './tables.ts'

/** `testDebugUnit-e2e` → test, debug, unit, e2e. */
export const partsOf = (word: string): string[] =>
  word
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

const includesAny = (parts: readonly string[], list: ReadonlySet<string>) => parts.some((part) => list.has(part))

/** The kind that the name of a task, script or target suggests, or null. */
export function taskKind(word: string): CheckKind | null {
  const parts = partsOf(word)
  const kind = kindOfParts(parts)
  if (kind === 'test')
    return includesAny(parts, NON_TEST_WORDS) || (!word.startsWith('test:') && includesAny(parts, NON_TEST_WORDS_UNLESS_TEST_FIRST))
      ? null
      : 'test'
  return kind && includesAny(parts, NO_BUILD_OR_LINT) ? null : kind
}

function kindOfParts(parts: readonly string[]): CheckKind | null {
  const hasCheckWord = parts.includes('check') || parts.includes('checks')
  if (hasCheckWord && (parts.includes('type') || parts.includes('types'))) return 'build'
  if (includesAny(parts, STYLE_WORDS) && includesAny(parts, STYLE_CHECKS)) return 'lint'
  for (const part of parts) {
    if (TEST_WORDS.has(part)) return 'test'
    if (BUILD_WORDS.has(part)) return 'build'
    if (LINT_WORDS.has(part)) return 'lint'
  }
  return null
}

/** The kind that the path of an executed file suggests. `inFolder`: a folder named "test" makes it a test. */
export function fileKind(path: string, inFolder: boolean): CheckKind | null {
  const folders = path.replaceAll('\\', '/').split('/')
  const file = folders.pop()!
  if (/\.(?:bats|t)$/.test(file)) return 'test'
  const parts = partsOf(file.replace(/(?<=.)\.[A-Za-z]\w{0,4}$/, ''))
  const namesTest =
    includesAny(parts, FILE_TEST_WORDS) ||
    (parts.length > 0 && includesAny(parts, TEST_WORDS) && parts.every((part) => TEST_WORDS.has(part) || FILE_FILLERS.has(part)))
  const folderNames = folders.map((folder) => folder.toLowerCase())
  if (namesTest || (inFolder && includesAny(folderNames, TEST_FOLDERS))) {
    const isExcluded = (list: readonly string[]) =>
      includesAny(list, NON_TEST_WORDS) || includesAny(list, NON_TEST_WORDS_UNLESS_TEST_FIRST) || includesAny(list, NON_TEST_FILE_WORDS)
    return isExcluded(parts) || (!namesTest && isExcluded(folderNames.flatMap(partsOf))) ? null : 'test'
  }
  if (parts.length === 0 || includesAny(parts, NO_BUILD_OR_LINT)) return null
  if (parts.every((part) => BUILD_WORDS.has(part)) || kindOfParts(parts) === 'build') return consistsOf(parts, BUILD_WORDS) ? 'build' : null
  return consistsOf(parts, LINT_WORDS) ? 'lint' : null
}

const consistsOf = (parts: readonly string[], list: ReadonlySet<string>) =>
  parts.every((part) => list.has(part) || FILE_FILLERS.has(part)) && includesAny(parts, list)
