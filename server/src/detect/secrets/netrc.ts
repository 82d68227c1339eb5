import { isUser } from '../machines/hosts.ts'
import { isPlaceholder } from './placeholders.ts'
import type { Report } from '../types.ts'

/** `.netrc`: `machine HOST`, and after it, on the same line or the next ones, `login NAME` and `password VALUE`. */

const ENTRY = /[ \t\r\n]{1,20}(login|user|account|password|port|protocol|machine|default|macdef)[ \t]{1,8}([^\s]{1,200})/y
const MAX_ENTRIES = 5

/** The word `machine` ends at `end`. */
export function netrcAt(text: string, end: number, report: Report): void {
  const host = /^[ \t]{1,8}[\w.-]{2,100}(?=\s)/.exec(text.slice(end, end + 112))
  if (host === null) return
  const entries: { name: string; start: number; end: number }[] = []
  ENTRY.lastIndex = end + host[0].length
  for (let count = 0; count < MAX_ENTRIES; count += 1) {
    const match = ENTRY.exec(text)
    if (match === null || /^(?:machine|default|macdef)$/.test(match[1]!)) break
    entries.push({ name: match[1]!, start: ENTRY.lastIndex - match[2]!.length, end: ENTRY.lastIndex })
  }
  const login = entries.find(({ name }) => name === 'login' || name === 'user')
  const password = entries.find(({ name }) => name === 'password')
  if (login === undefined || password === undefined) return
  const value = text.slice(password.start, password.end).replace(/["'\\,]+$/, '')
  if (isPlaceholder(value) || /^[$%<{]/.test(value)) return
  report('password', 'netrc', password.start, password.start + value.length, 0.9)
  if (isUser(text.slice(login.start, login.end))) report('username', 'netrc', login.start, login.end, 0.8)
}
