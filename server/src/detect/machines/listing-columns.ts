import { isHost, isUser } from './hosts.ts'
import { lineEnd, lineStart } from '../lines.ts'
import type { Report } from '../types.ts'

/** Users and hosts in command output with upper-case column headers. */

type ColumnType = 'username' | 'hostname'
const COLUMNS = new Map<string, ColumnType>([
  ...'USER USERNAME USERID OWNER LOGIN UNAME RUSER EUSER ACCOUNT_NAME SUBMITTER CREATOR'
    .split(' ')
    .map((name): [string, ColumnType] => [name, 'username']),
  ...'NODE HOST HOSTNAME NODENAME MACHINE COMPUTER SERVER NODELIST INSTANCE_NAME COMPUTERNAME'
    .split(' ')
    .map((name): [string, ColumnType] => [name, 'hostname']),
])
/** With these columns, the NAME column contains hosts. */
const OF_MACHINES =
  /\b(?:MACHINE_TYPE|INTERNAL[-_ ]IP|EXTERNAL[-_ ]IP|PRIVATE[-_ ]IP|PUBLIC[-_ ]IP|IPV4|ROLES|MAC ADDRESS|KERNEL-VERSION)\b/
const MAX_ROWS = 2000

/** Words of column headers. */
export const COLUMN_WORDS =
  'user users username userid ruser euser uname owner owners submitter creator login node nodes nodename nodelist host hostname machine computer computername server internal external ipv roles'.split(
    ' ',
  )
/** A header is read once, at its first known word. */
const FIRST = new RegExp(String.raw`(?<![A-Za-z])(?:${COLUMN_WORDS.join('|').toUpperCase()})(?![A-Za-z])`)

/** Reads the rows below a column header if the word at `start` is its first known word. */
export function columnAt(text: string, start: number, report: Report): void {
  if (!isCapital(text.charCodeAt(start)) || !isCapital(text.charCodeAt(start + 1))) return
  const from = lineStart(text, start, 161)
  if (start - from > 160) return
  const end = lineEnd(text, start, 300)
  const head = text.slice(from, end)
  if (HEAD.test(head) && FIRST.exec(head)!.index === start - from) readRows(text, head, end + 1, report)
}
const isCapital = (code: number) => code >= 65 && code <= 90
/** Upper-case names separated by spaces. */
const HEAD = /^[ \t]*[A-Z%#@][A-Z0-9_%#@/()+:-]*(?:[ \t]+[A-Z%#][A-Z0-9_%#@/()+:-]*){1,30}[ \t]*\r?$/

function readRows(text: string, head: string, from: number, report: Report): void {
  const isWide = !/\S \S/.test(
    head.replaceAll(/(?:INTERNAL|EXTERNAL|PRIVATE|PUBLIC|MAC|CONTAINER|IMAGE|NOMINATED|READINESS|LAST) [A-Z]+/g, 'X'),
  )
  const cellsOf = (line: string) => [...line.matchAll(isWide ? /\S+(?: \S+)*/g : /\S+/g)]
  const names = cellsOf(head)
  const types = names.map(([name], index): ColumnType | undefined => {
    const type = COLUMNS.get(name.replaceAll(/[^A-Z_]/g, ''))
    return type ?? (name === 'NAME' && index < 2 && OF_MACHINES.test(head) ? 'hostname' : undefined)
  })
  if (types.every((one) => one === undefined)) return
  let start = from
  for (let count = 0; start < text.length && count < MAX_ROWS; count += 1) {
    const end = lineEnd(text, start, 1000)
    const line = text.slice(start, end)
    const cells = cellsOf(line)
    if (cells.length < 2 || Math.abs((cells[0]!.index ?? 0) - (names[0]!.index ?? 0)) > 12) return
    if (!isWide && cells.length < names.length - 1) return
    for (const [index, type] of types.entries()) {
      const cell = cells[index]
      if (type === undefined || cell === undefined) continue
      // a cell starts below its column name or overlaps it
      const value = cell[0]
      const distance = Math.abs(cell.index - names[index]!.index)
      if (isWide && distance > 14) continue
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
