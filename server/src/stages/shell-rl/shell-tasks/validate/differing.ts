import { lookup } from '#contracts/lookup.ts'

const KINDS = lookup({ f: 'file', d: 'folder', l: 'link', p: 'pipe', s: 'socket' })

/** Describes each difference between two listings of files in a few words. */
export function differing(before: readonly string[], after: readonly string[]): string[] {
  const [beforeLines, afterLines] = [new Set(before), new Set(after)]
  const removedPaths = new Map(before.filter((line) => !afterLines.has(line)).map(entryOf))
  const addedPaths = new Map(after.filter((line) => !beforeLines.has(line)).map(entryOf))
  return [
    ...[...addedPaths].map(([path, kind]) => `${removedPaths.has(path) ? 'changed' : 'made'} the ${kind} ${path}`),
    ...[...removedPaths].filter(([path]) => !addedPaths.has(path)).map(([path, kind]) => `removed the ${kind} ${path}`),
  ]
}

/** The path and kind of a line. In the line of a link, the target comes before the path. */
function entryOf(line: string): [path: string, kind: string] {
  const at = line.startsWith('l') ? line.lastIndexOf(' /') : line.indexOf(' /')
  return [line.slice(at + 1), KINDS[line[0]!] ?? 'file']
}
