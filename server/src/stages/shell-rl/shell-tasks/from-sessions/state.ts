import { hash } from 'node:crypto'
import path from 'node:path'
import { quoted, shellWord } from '#server/adapters/tools/shell-words.ts'
import { BASE, firstContent, type Node, type Tree } from './tree.ts'

/** A difference between the start and the end. */
export interface Effect {
  /** A sentence for people, without the name of any command. */
  description: string
  checks: string[]
  /** Whether a single trivial action produces it. */
  isTrivial: boolean
}

export interface EndState {
  setup: string[]
  effects: Effect[]
  /** Files whose original content is unknown, so that the set-up invents it. */
  inventedFiles: string[]
}

const parent = (at: string) => path.posix.dirname(at)
const textOf = (node: Node | undefined) => (node?.kind === 'file' ? node.text : null)

/** Finds what the commands changed, and the set-up that has to exist before. */
export function findEffects({ before, now }: Tree): EndState {
  const effects: Effect[] = []
  for (const [at, node] of now) {
    const previous = before.get(at)
    // a folder must exist if something in it does
    const isImplied = node.kind === 'folder' && [...now.keys()].some((one) => one.startsWith(`${at}/`))
    if (previous === undefined || previous.kind !== node.kind || contentOf(previous) !== contentOf(node)) {
      if (!isImplied) effects.push({ ...effectOf(at, node), isTrivial: isEasy(node) && before.has(parent(at)) })
    }
    const mode = previous?.mode ?? null
    if (node.mode !== null && node.mode !== mode) {
      const octal = node.mode.toString(8).padStart(3, '0')
      effects.push({
        description: `${at} has the permissions ${octal}.`,
        checks: [`[ "$(stat -c %a ${quoted(at)})" = ${node.mode.toString(8)} ]`],
        isTrivial: octal === '777' && previous !== undefined,
      })
    }
  }
  const removed = [...before.keys()].filter((at) => !now.has(at))
  for (const at of removed.filter((one) => !removed.includes(parent(one))))
    // only the outermost removed path counts, and its parent must still exist
    effects.push({
      description: `${at} no longer exists.`,
      checks: [`[ -d ${quoted(parent(at))} ]`, `[ ! -e ${quoted(at)} ]`, `[ ! -L ${quoted(at)} ]`],
      isTrivial: true,
    })
  return { effects, ...setUp(before, now) }
}

const contentOf = (node: Node): string =>
  node.kind === 'folder' ? '' : node.kind === 'link' ? node.target : node.kind === 'archive' ? node.members.join('\n') : node.text

/** Whether one trivial action creates it: a folder or an empty file. The check contains only the hash of other content. */
const isEasy = (node: Node): boolean => node.kind === 'folder' || textOf(node) === ''

function effectOf(at: string, node: Node): Omit<Effect, 'isTrivial'> {
  const place = quoted(at)
  if (node.kind === 'folder') return { description: `${at} is a folder.`, checks: [`[ -d ${place} ]`] }
  if (node.kind === 'link')
    return { description: `${at} is a symbolic link to ${node.target}.`, checks: [`[ "$(readlink ${place})" = ${quoted(node.target)} ]`] }
  if (node.kind === 'archive') {
    const packed = node.isCompressed ? 'a tar archive, compressed in the format of gzip,' : 'a tar archive'
    return {
      description: `${at} is ${packed} that contains ${node.members.join(', ')}, with paths relative to ${BASE} or the current folder.`,
      checks: [
        ...(node.isCompressed ? [`gzip -t ${place} 2>/dev/null`] : []),
        ...node.members.map((member) => `tar -tf ${place} 2>/dev/null | grep -qxF -e ${quoted(member)} -e ${quoted(`${member}/`)}`),
      ],
    }
  }
  const sum = hash('sha256', node.text)
  if (node.kind === 'compressed')
    return {
      description: `${at} contains, compressed in the format of gzip, ${contentInWords(node)}`,
      checks: [`[ "$(gzip -dc ${place} 2>/dev/null | sha256sum)" = ${quoted(`${sum}  -`)} ]`],
    }
  if (node.text === '') return { description: `${at} is an empty file.`, checks: [`[ -f ${place} ]`, `[ ! -s ${place} ]`] }
  return {
    description: `${at} has ${contentInWords(node)}`,
    checks: [`[ "$(sha256sum < ${place} 2>/dev/null)" = ${quoted(`${sum}  -`)} ]`],
  }
}

function contentInWords({ text, of }: { text: string; of: string | null }): string {
  if (of !== null && text === firstContent(of)) return `the content that ${of} has at the start.`
  const first = of === null ? '' : firstContent(of)
  const addedText = text.slice(first.length)
  const lines = addedText.replace(/\n$/, '').split('\n')
  const what = `${lines.length === 1 ? 'this line' : `these ${lines.length} lines`}${addedText.endsWith('\n') ? '' : ', without a line end after the last'}:\n${lines.map((line) => `    ${line}`).join('\n')}`
  return of === null ? `exactly ${what}` : `the content that ${of} has at the start, and after it ${what}`
}

function setUp(before: Tree['before'], now: Tree['now']): Pick<EndState, 'setup' | 'inventedFiles'> {
  const entries = [...before].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const folders = entries.filter(([, { kind }]) => kind === 'folder').map(([at]) => at)
  const files = entries.flatMap(([at, node]) => (node.kind === 'file' ? [{ at, text: node.text }] : []))
  const innermost = folders.filter((at) => !folders.some((one) => one.startsWith(`${at}/`)))
  return {
    setup: [
      `mkdir -p ${innermost.map(shellWord).join(' ')}`,
      ...files.map(({ at, text }) => `printf '%s\\n' ${quoted(text.replace(/\n$/, ''))} > ${shellWord(at)}`),
      // files whose permissions change get known permissions first
      ...files.filter(({ at }) => (now.get(at)?.mode ?? null) !== null).map(({ at }) => `chmod 644 ${shellWord(at)}`),
    ],
    inventedFiles: files.map(({ at }) => at),
  }
}
