import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createGit } from '#server/adapters/git/index.ts'
import { rowsOf } from '#server/adapters/outside-rows/index.ts'
import { makeRepository } from '#server/stages/agents/testing-repository.ts'
import { newFolder } from '#server/testing/folders.ts'
import { inJudged, openPlain } from './index.ts'

const PLACES = { path: process.env['PATH'] ?? '', userHome: '/nonexistent' }

it('a path that was judged is not followed through a link that took the place of a folder above it', async () => {
  const root = newFolder()
  const hidden = path.join(root, 'hidden')
  fs.mkdirSync(hidden)
  fs.renameSync(makeRepository(root, { 'rows.jsonl': '{"hidden":1}\n' }), path.join(hidden, 'repository'))
  const named = path.join(root, 'named')
  fs.symlinkSync(hidden, named)
  const [folder, file] = [path.join(named, 'repository'), path.join(named, 'repository', 'rows.jsonl')]
  const git = createGit(PLACES)
  const reads: Record<string, () => unknown> = {
    folder: () => inJudged(folder, (opened) => opened.list()),
    find: () => inJudged(folder, (opened) => opened.find('rows.jsonl')),
    file: () => openPlain(file),
    rows: () => Array.fromAsync(rowsOf(file)),
    'working tree': () => git.workingTree(folder),
    top: () => git.top(folder),
    'plain files': () => Array.fromAsync(git.files.readPlain(folder, ['rows.jsonl'], () => {})),
    clone: () => git.clone(folder, path.join(root, 'clone'), AbortSignal.timeout(60_000)),
  }
  const followed: string[] = []
  for (const [what, read] of Object.entries(reads)) {
    const why = await (async () => read())().then(() => 'nothing', (error: Error) => error.message) // prettier-ignore
    if (!/not followed|ENOTDIR|ELOOP|replaced by a link|cannot be read/.test(why)) followed.push(`${what}: ${why}`)
  }
  expect(followed).toEqual([])
  const real = path.join(hidden, 'repository')
  expect(await inJudged(real, (opened) => opened.text('rows.jsonl', 100))).toBe('{"hidden":1}\n')
  expect(await git.workingTree(real)).toMatchObject({ files: ['rows.jsonl'], uncommitted: 0 })
})
