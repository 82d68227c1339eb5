import { hash } from 'node:crypto'
import path from 'node:path'
import { quoted, shellWord } from '#server/adapters/tools/shell-words.ts'
import { BASE, firstContent, type Node, type Tree } from './tree.ts'

/** Something that is so in the end and was not at the start. */
export interface Effect {
  /** For a person; never with the name of a command. */
  description: string
  checks: string[]
  /** One thoughtless action reaches it. */
  isTrivial: boolean
}

export interface Reached {
  setup: string[]
  effects: Effect[]
  /** Files whose content the set-up makes up. */
  madeUp: string[]
}

const parent = (at: string) => path.posix.dirname(at)
const textOf = (node: Node | undefined) => (node?.kind === 'file' ? node.text : null)

/** What the commands changed, and what has to be there before. */
export function reached({ before, now }: Tree): Reached {
  const effects: Effect[] = []
  for (const [at, node] of now) {
    const was = before.get(at)
    // a folder is there when something in it is
    const isImplied = node.kind === 'folder' && [...now.keys()].some((one) => one.startsWith(`${at}/`))
    if (was === undefined || was.kind !== node.kind || contentOf(was) !== contentOf(node)) {
      if (!isImplied) effects.push({ ...effectOf(at, node), isTrivial: isEasy(node) && before.has(parent(at)) })
    }
    const mode = was?.mode ?? null
    if (node.mode !== null && node.mode !== mode) {
      const octal = node.mode.toString(8).padStart(3, '0')
      effects.push({
        description: `${at} has the permissions ${octal}.`,
        checks: [`[ "$(stat -c %a ${quoted(at)})" = ${node.mode.toString(8)} ]`],
        isTrivial: octal === '777' && was !== undefined,
      })
    }
  }
  const gone = [...before.keys()].filter((at) => !now.has(at))
  for (const at of gone.filter((one) => !gone.includes(parent(one))))
    // a folder that was removed with all in it is not what was asked for
    effects.push({
      description: `${at} is not there any more.`,
      checks: [`[ -d ${quoted(parent(at))} ]`, `[ ! -e ${quoted(at)} ]`, `[ ! -L ${quoted(at)} ]`],
      isTrivial: true,
    })
  return { effects, ...setUp(before, now) }
}

const contentOf = (node: Node): string =>
  node.kind === 'folder' ? '' : node.kind === 'link' ? node.target : node.kind === 'archive' ? node.members.join('\n') : node.text

/** Making a folder or an empty file; other content is compared by its hash, which no word of the check gives. */
const isEasy = (node: Node): boolean => node.kind === 'folder' || textOf(node) === ''

function effectOf(at: string, node: Node): Omit<Effect, 'isTrivial'> {
  const place = quoted(at)
  if (node.kind === 'folder') return { description: `${at} is a folder.`, checks: [`[ -d ${place} ]`] }
  if (node.kind === 'link')
    return { description: `${at} is a symbolic link to ${node.target}.`, checks: [`[ "$(readlink ${place})" = ${quoted(node.target)} ]`] }
  if (node.kind === 'archive') {
    const packed = node.isCompressed ? 'a tar archive, compressed in the format of gzip,' : 'a tar archive'
    return {
      description: `${at} is ${packed} that holds ${node.members.join(', ')}, named from ${BASE} or the folder that the work is done in.`,
      checks: [
        ...(node.isCompressed ? [`gzip -t ${place} 2>/dev/null`] : []),
        ...node.members.map((member) => `tar -tf ${place} 2>/dev/null | grep -qxF -e ${quoted(member)} -e ${quoted(`${member}/`)}`),
      ],
    }
  }
  const sum = hash('sha256', node.text)
  if (node.kind === 'compressed')
    return {
      description: `${at} holds, compressed in the format of gzip, ${contentInWords(node)}`,
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
  const own = text.slice(first.length)
  const lines = own.replace(/\n$/, '').split('\n')
  const what = `${lines.length === 1 ? 'this line' : `these ${lines.length} lines`}${own.endsWith('\n') ? '' : ', without a line end behind the last'}:\n${lines.map((line) => `    ${line}`).join('\n')}`
  return of === null ? `exactly ${what}` : `the content that ${of} has at the start, and behind it ${what}`
}

function setUp(before: Tree['before'], now: Tree['now']): Pick<Reached, 'setup' | 'madeUp'> {
  const entries = [...before].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const folders = entries.filter(([, { kind }]) => kind === 'folder').map(([at]) => at)
  const files = entries.flatMap(([at, node]) => (node.kind === 'file' ? [{ at, text: node.text }] : []))
  const innermost = folders.filter((at) => !folders.some((one) => one.startsWith(`${at}/`)))
  return {
    setup: [
      `mkdir -p ${innermost.map(shellWord).join(' ')}`,
      ...files.map(({ at, text }) => `printf '%s\\n' ${quoted(text.replace(/\n$/, ''))} > ${shellWord(at)}`),
      // permissions that are changed are given ones first
      ...files.filter(({ at }) => (now.get(at)?.mode ?? null) !== null).map(({ at }) => `chmod 644 ${shellWord(at)}`),
    ],
    madeUp: files.map(({ at }) => at),
  }
}
