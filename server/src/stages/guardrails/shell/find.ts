import { isEverything, isProtected, resolvePath } from '../paths.ts'
import type { Session } from './session.ts'
import { UNKNOWN_TEXT, literalText, type Text } from './text.ts'

/** Parts of an expression that exclude no file; those of the second list take a value. */
const NEUTRAL = new Set(
  `( ) ! , -a -and -o -or -not -depth -d -xdev -mount -follow -daystart -noleaf -warn -nowarn -true -ignore_readdir_race -print
  -print0 -ls -delete -prune -quit`.split(/\s+/),
)
const NEUTRAL_WITH_VALUE = new Set('-type -maxdepth -mindepth -fprint -printf -regextype'.split(' '))
const COMMANDS = new Set('-exec -execdir -ok -okdir'.split(' '))

export interface FindPlan {
  roots: string[]
  /** The expression selects some of the files. */
  isFiltered: boolean
  deletes: boolean
  /** The commands of `-exec`, `-execdir`, `-ok` and `-okdir`, as ranges of words. */
  commands: [from: number, to: number][]
}

/** Where `find` searches and what it does. `words` are its arguments. */
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

/** Follows the commands that `find` runs, and returns the paths that it prints. */
export function runFind(args: readonly Text[], session: Session, run: (command: readonly Text[]) => Text): Text {
  const plan = readFind(args.map(({ text }) => text))
  for (const [from, to] of plan.commands) {
    const command = args.slice(from, to)
    if (command.length === 0) continue
    for (const root of plan.roots) {
      const folder = resolvePath(root, session.folder)
      // a filter finds files inside the folder, not the folder itself
      const target = plan.isFiltered && (folder === null || isProtected(folder)) ? `${root === '/' ? '' : root}/found/by/find` : root
      run(command.map(({ text, origin }) => ({ text: text.replaceAll('{}', () => target), origin })))
    }
  }
  return plan.isFiltered ? UNKNOWN_TEXT : literalText(`${plan.roots.join('\n')}\n`)
}
