import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { lookUpScope } from './scope.ts'

let root: string
beforeEach(() => (root = newFolder()))
const make = (...files: string[]) => {
  for (const file of files) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), '')
  }
}
const scopeOf = (folder: string) => path.relative(root, lookUpScope(path.join(root, folder))!)

it('is the nearest parent folder with a manifest', () => {
  make('repo/.git/HEAD', 'repo/package.json', 'repo/packages/api/package.json', 'repo/packages/api/src/a.ts', 'repo/docs/a.md')
  expect(scopeOf('repo/packages/api/src')).toBe('repo/packages/api')
  expect(scopeOf('repo/packages/api')).toBe('repo/packages/api')
  expect(scopeOf('repo/docs')).toBe('repo')
})
it('is the git root if there is no manifest up to it', () => {
  make('package.json', 'one/.git/HEAD', 'one/src/a.c', 'two/.git/HEAD')
  expect(scopeOf('one/src')).toBe('one')
  expect(scopeOf('two')).toBe('two')
})
it('is null for a missing directory or a relative path', () => {
  expect(lookUpScope(path.join(root, 'gone'))).toBeNull()
  expect(lookUpScope('relative')).toBeNull()
  expect(lookUpScope('C:\\work')).toBeNull()
})
