import fs from 'node:fs'
import path from 'node:path'
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { createGit } from '#server/adapters/git/index.ts'
import { newFolder } from '#server/testing/folders.ts'
import { changedFiles, storeFolder, undoings } from './states.ts'

const SPACE = Array.from({ length: 10 }, (_, line) => `# ${line}`).join('\n')
const write = (folder: string, files: Record<string, string>) => {
  fs.mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), content)
  return folder
}

test('parts of a change are undone by themselves, then neighbours together, and never all of them', async () => {
  const root = newFolder()
  const states = {
    git: createGit({ path: env['PATH'] ?? '', userHome: root }),
    gitDir: path.join(root, 'git'),
    signal: new AbortController().signal,
  }
  const before = { 'a.py': `one\n${SPACE}\ntwo\n`, 'b.py': 'three\n' }
  const after = { 'a.py': `ONE\n${SPACE}\nTWO\n`, 'b.py': 'THREE\n' }
  const from = await storeFolder(states, 'before', write(path.join(root, 'before'), before))
  const to = await storeFolder(states, 'after', write(path.join(root, 'after'), after))
  const found = await undoings(states, from, to, await changedFiles(states, from, to))
  const texts = found.map(({ label, files }) => [
    label,
    ...[...files].map(([name, file]) => `${name} ${String(file?.content).replace(SPACE, '…')}`),
  ])
  expect(texts).toEqual([
    ['a.py: lines 1–4', 'a.py one\n…\nTWO\n'],
    ['a.py: lines 9–12', 'a.py ONE\n…\ntwo\n'],
    ['b.py: lines 1–1', 'b.py three\n'],
    ['2 parts: a.py: lines 1–4, a.py: lines 9–12', 'a.py one\n…\ntwo\n'],
    ['2 parts: a.py: lines 9–12, b.py: lines 1–1', 'a.py ONE\n…\ntwo\n', 'b.py three\n'],
  ])
})
