import { isHost, isUser } from './hosts.ts'
import { lineEnd } from './lines.ts'
import type { Report } from './types.ts'

/** Listings of commands in columns under a line of capitals: users, owners, nodes and machines by the name above them. */

type Named = 'username' | 'hostname'
const COLUMNS = new Map<string, Named>([
  ...'USER USERNAME USERID OWNER LOGIN UNAME RUSER EUSER ACCOUNT_NAME SUBMITTER CREATOR'
    .split(' ')
    .map((name): [string, Named] => [name, 'username']),
  ...'NODE HOST HOSTNAME NODENAME MACHINE COMPUTER SERVER NODELIST INSTANCE_NAME COMPUTERNAME'
    .split(' ')
    .map((name): [string, Named] => [name, 'hostname']),
])
/** Columns beside which a bare NAME is that of a machine. */
const OF_MACHINES =
  /\b(?:MACHINE_TYPE|INTERNAL[-_ ]IP|EXTERNAL[-_ ]IP|PRIVATE[-_ ]IP|PUBLIC[-_ ]IP|IPV4|ROLES|MAC ADDRESS|KERNEL-VERSION)\b/
const MOST_ROWS = 2000

/** Only texts with a line that begins like such a head are looked at. */
export function columns(text: string, report: Report): void {
  for (const word of HEADS) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const start = text.lastIndexOf('\n', at) + 1
      if (at - start > 160) continue
      const end = lineEnd(text, at, 300)
      // a head is read at the first of its words that is known
      if (
        !HEAD.test(text.slice(start, end)) ||
        HEADS.some((other) => {
          const first = text.indexOf(other, start)
          return first >= 0 && first < at
        })
      )
        continue
      rows(text, text.slice(start, end), end + 1, report)
    }
  }
}
const HEADS = [
  'USER',
  'OWNER',
  'NODE',
  'HOST',
  'LOGIN',
  'INTERNAL',
  'EXTERNAL_IP',
  'RUSER',
  'MACHINE',
  'IPV4',
  'ROLES',
  'COMPUTER',
  'SERVER',
]
/** Names in capitals, parted by spaces. */
const HEAD = /^[ \t]*[A-Z%#@][A-Z0-9_%#@/()+:-]*(?:[ \t]+[A-Z%#][A-Z0-9_%#@/()+:-]*){1,30}[ \t]*\r?$/

function rows(text: string, head: string, from: number, report: Report): void {
  const wide = !/\S \S/.test(
    head.replaceAll(/(?:INTERNAL|EXTERNAL|PRIVATE|PUBLIC|MAC|CONTAINER|IMAGE|NOMINATED|READINESS|LAST) [A-Z]+/g, 'X'),
  )
  const part = (line: string) => [...line.matchAll(wide ? /\S+(?: \S+)*/g : /\S+/g)]
  const names = part(head)
  const wanted = names.map(([name], index): Named | undefined => {
    const known = COLUMNS.get(name.replaceAll(/[^A-Z_]/g, ''))
    return known ?? (name === 'NAME' && index < 2 && OF_MACHINES.test(head) ? 'hostname' : undefined)
  })
  if (wanted.every((one) => one === undefined)) return
  let start = from
  for (let count = 0; start < text.length && count < MOST_ROWS; count += 1) {
    const end = lineEnd(text, start, 1000)
    const line = text.slice(start, end)
    const cells = part(line)
    if (cells.length < 2 || Math.abs((cells[0]!.index ?? 0) - (names[0]!.index ?? 0)) > 12) return
    if (!wide && cells.length < names.length - 1) return
    for (const [index, type] of wanted.entries()) {
      const cell = cells[index]
      if (type === undefined || cell === undefined) continue
      // a cell stands under its name, or overlaps it
      const value = cell[0]
      const away = Math.abs(cell.index - names[index]!.index)
      if (wide && away > 14) continue
      const at = start + cell.index
      if (type === 'username' ? /^[A-Za-z_][\w.+-]{1,31}$/.test(value) && isUser(value.replace(/\+$/, '')) : isMachine(value))
        report(type, 'column', at, at + value.replace(/\+$/, '').length, 0.75)
    }
    start = end + 1
  }
}

const isMachine = (value: string) =>
  /^[A-Za-z][\w.-]{2,62}$/.test(value) &&
  isHost(value) &&
  /[-\d]/.test(value) &&
  !/^(?:docker-desktop|minikube|kind-.*|.*\.(?:io|com|org))$/.test(value)
