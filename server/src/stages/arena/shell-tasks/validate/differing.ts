import { lookup } from '#contracts/lookup.ts'

const KINDS = lookup({ f: 'file', d: 'folder', l: 'link', p: 'pipe', s: 'socket' })

/** What differs between two listings of files, each in a few words. */
export function differing(before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)]
  const gone = new Map(before.filter((line) => !now.has(line)).map(thingOf))
  const come = new Map(after.filter((line) => !old.has(line)).map(thingOf))
  return [
    ...[...come].map(([path, kind]) => `${gone.has(path) ? 'changed' : 'made'} the ${kind} ${path}`),
    ...[...gone].filter(([path]) => !come.has(path)).map(([path, kind]) => `removed the ${kind} ${path}`),
  ]
}

/** The path of a line, and what is there. Before the path of a link stands where it leads. */
function thingOf(line: string): [path: string, kind: string] {
  const at = line.startsWith('l') ? line.lastIndexOf(' /') : line.indexOf(' /')
  return [line.slice(at + 1), KINDS[line[0]!] ?? 'file']
}
