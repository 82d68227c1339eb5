import type { JsonArray, JsonObject } from './json-text.ts'

/** The layout of a file, which additions follow. */
export interface Layout {
  newline: string
  /** One level of indentation; null if the file is on one line. */
  indent: string | null
}

export function layoutOf(text: string, root: JsonObject): Layout {
  const newline = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n'
  const first = root.members[0]
  if (first === undefined) return { newline, indent: '  ' }
  const before = text.slice(root.start + 1, first.start)
  const lineBreak = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'))
  return lineBreak === -1 ? { newline, indent: null } : { newline, indent: before.slice(lineBreak + 1) || '  ' }
}

/** `value` as text; lines after the first are indented from `depth` on. */
function format(value: unknown, depth: number, { newline, indent }: Layout): string {
  if (indent === null) return JSON.stringify(value)
  const lines = JSON.stringify(value, null, 1).split('\n')
  return lines
    .map((line, index) => {
      const spaces = /^ */.exec(line)?.[0].length ?? 0
      return index === 0 ? line : indent.repeat(depth + spaces) + line.slice(spaces)
    })
    .join(newline)
}

const replace = (text: string, from: number, to: number, replacement: string) => text.slice(0, from) + replacement + text.slice(to)

/**
 * Adds `addition` as the last child of a container at nesting `depth` (0: the root). If the container has children,
 * removing the addition restores the original bytes. In an empty container whitespace is replaced, so the caller must
 * save it first (`contentOf`).
 */
function append(text: string, container: JsonObject | JsonArray, addition: string, depth: number, layout: Layout): string {
  const children = container.kind === 'object' ? container.members.map(({ value }) => value) : container.items
  const last = children.at(-1)
  const line = layout.indent === null ? '' : layout.newline + layout.indent.repeat(depth + 1)
  if (last !== undefined) return replace(text, last.end, last.end, `,${line || ' '}${addition}`)
  const close = layout.indent === null ? '' : layout.newline + layout.indent.repeat(depth)
  return replace(text, container.start + 1, container.end - 1, line + addition + close)
}

export const appendItem = (text: string, array: JsonArray, value: unknown, depth: number, layout: Layout) =>
  append(text, array, format(value, depth + 1, layout), depth, layout)

export function appendMember(text: string, object: JsonObject, key: string, value: unknown, depth: number, layout: Layout) {
  const colon = layout.indent === null ? ':' : ': '
  return append(text, object, JSON.stringify(key) + colon + format(value, depth + 1, layout), depth, layout)
}

/** The text between the brackets of an empty container. */
export const contentOf = (text: string, container: JsonObject | JsonArray) => text.slice(container.start + 1, container.end - 1)

/** Removes child `index`. If it was the only one, `emptyContent` is put between the brackets. */
export function removeChild(text: string, container: JsonObject | JsonArray, index: number, emptyContent: string): string {
  const spans =
    container.kind === 'object'
      ? container.members.map(({ start, value }) => ({ start, end: value.end }))
      : container.items.map(({ start, end }) => ({ start, end }))
  const child = spans[index]
  if (child === undefined) throw new RangeError(`no child ${index}`)
  const before = spans[index - 1]
  const after = spans[index + 1]
  if (before !== undefined) return replace(text, before.end, child.end, '')
  if (after !== undefined) return replace(text, child.start, after.start, '')
  return replace(text, container.start + 1, container.end - 1, emptyContent)
}
