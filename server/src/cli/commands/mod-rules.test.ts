import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { useFolder } from '#server/testing/folders.ts'
import { runAgainst, useServer } from '#server/testing/use.ts'

const root = useFolder()
const server = useServer()

it('shows, writes and takes back the rules of a project; where the agent works belongs to an install', async () => {
  fs.writeFileSync(path.join(root, 'package.json'), '{"scripts":{"test":"node calc.test.mjs"}}')
  const file = path.join(root, '.claude', 'settings.local.json')
  const rules = (...more: string[]) => runAgainst(server, ['mod', 'rules', '--project', root, ...more])
  const shown = await rules()
  expect(shown.code).toBe(0)
  expect(shown.out).toContain('Bash(node calc.test.mjs): from the test script of package.json')
  expect(shown.out).toContain('What these commands run is in files that the agent can change.')
  expect(fs.existsSync(file)).toBe(false)
  expect((await rules('--write')).out).toContain(`They are in ${file}.`)
  expect(fs.readFileSync(file, 'utf8')).toContain('Bash(npm test)')
  expect((await rules('--remove')).out).toBe(`${file} has none of our rules.\n`)
  expect(fs.existsSync(path.dirname(file))).toBe(false)
  expect((await runAgainst(server, ['mod', 'status', '--work', 'sandbox'])).code).toBe(2)
})
