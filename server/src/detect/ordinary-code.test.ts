import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { scan } from './index.ts'

const folder = path.join(import.meta.dirname, '../../../labelled/code')

describe('code without secrets or people', () => {
  it.each(fs.readdirSync(folder))('finds nothing in %s', (file) => {
    const text = fs.readFileSync(path.join(folder, file), 'utf8')
    expect(scan(text).map(({ type, detector, start, end }) => `${type} (${detector}): ${text.slice(start, end)}`)).toEqual([])
  })
})

it.each([
  ['a literal in a call', "login(user='jroe7', password='Tr0ub4dor&3')", ['username: jroe7', 'password: Tr0ub4dor&3']],
  ['a literal in an object', '{"user": "mkoch", "password": "Tr0ub4dor&3"}', ['username: mkoch', 'password: Tr0ub4dor&3']],
  ['a setting without quotes', 'ssh:\n  username: mkoch\n  password: Tr0ub4dor3', ['username: mkoch', 'password: Tr0ub4dor3']],
  ['a line of a log', 'Failed password for mkoch from 81.2.69.142 port 22', ['username: mkoch', 'ip_address: 81.2.69.142']],
])('still finds %s', (_, text, values) =>
  expect(scan(text).map(({ type, start, end }) => `${type}: ${text.slice(start, end)}`)).toEqual(values),
)
