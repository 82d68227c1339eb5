import { isEverything, isProtected, resolvePath } from '../paths.ts'
import type { Session } from './session.ts'
import { elsewhere, here, type Text } from './text.ts'

/** Words of an expression that leave out nothing; those of the second list take a value. */
const NEUTRAL = new Set(
  `( ) ! , -a -and -o -or -not -depth -d -xdev -mount -follow -daystart -noleaf -warn -nowarn -true -ignore_readdir_race -print
  -print0 -ls -delete -prune -quit`.split(/\s+/),
)
const NEUTRAL_WITH_VALUE = new Set('-type -maxdepth -mindepth -fprint -printf -regextype'.split(' '))
const COMMANDS = new Set('-exec -execdir -ok -okdir'.split(' '))

export interface FindPlan {
  roots: string[]
  /** Something decides which files are meant. */
  isFiltered: boolean
  deletes: boolean
  /** The commands of `-exec` and its like. */
  commands: [from: number, to: number][]
}

/** Where `find` looks and what it does. Words are those behind the name. */
export function readFind(words: readonly string[]): FindPlan {
  let at = 0
  while (/^-[HLP]$|^-O\d|^-D$/.test(words[at] ?? '')) at += words[at] === '-D' ? 2 : 1
  const start = at
  while (at < words.length && !/^[-(!,]./.test(words[at]!) && words[at] !== '(' && words[at] !== '!') at += 1
  const plan: FindPlan = {
    roots: at > start ? words.slice(start, at) : ['.'],
    isFiltered: false,
    deletes: words.includes('-delete'),
    commands: [],
  }
  for (; at < words.length; at++) {
    const word = words[at]!
    if (COMMANDS.has(word)) {
      const from = at + 1
      while (at < words.length && words[at] !== ';' && words[at] !== '+') at += 1
      plan.commands.push([from, at])
    } else if (NEUTRAL_WITH_VALUE.has(word)) at += 1
    else if (/^-i?(?:name|path|wholename)$/.test(word) && isEverything(words[at + 1] ?? '') && !words[at + 1]!.startsWith('*.')) at += 1
    else if (!NEUTRAL.has(word)) plan.isFiltered = true
  }
  return plan
}

/** Runs the commands of `find` on what it looks at; the paths that it prints. */
export function runFind(args: readonly Text[], session: Session, run: (command: readonly Text[]) => Text): Text {
  const plan = readFind(args.map(({ text }) => text))
  for (const [from, to] of plan.commands) {
    const command = args.slice(from, to)
    if (command.length === 0) continue
    for (const root of plan.roots) {
      const folder = resolvePath(root, session.folder)
      // what a filter finds in a folder is not the folder
      const found = plan.isFiltered && (folder === null || isProtected(folder)) ? `${root === '/' ? '' : root}/found/by/find` : root
      run(command.map(({ text, origin }) => ({ text: text.replaceAll('{}', () => found), origin })))
    }
  }
  return plan.isFiltered ? elsewhere : here(`${plan.roots.join('\n')}\n`)
}
