import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { curlOf } from './curl.ts'

test('a shell passes the request to curl unchanged, whatever characters it contains', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "it's home-"))
  fs.writeFileSync(path.join(dataDir, 'token'), 'secret')
  const request = { messages: [{ role: 'user', content: `it's "$HOME" \`date\` \\ größer\nnext` }], seed: 7 }
  const line = curlOf({ origin: 'http://127.0.0.1:1', dataDir, serving: 'ab12', request })
  expect(line).not.toContain('secret')
  const output = execFileSync('/bin/sh', ['-c', `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${line}`], {
    encoding: 'utf8',
  })
  const words = output.split('\0')
  expect(words).toContain('Authorization: Bearer secret')
  expect(words).toContain('http://127.0.0.1:1/api/models/servings/ab12/chat')
  expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(request)
  fs.rmSync(dataDir, { recursive: true })
})
