import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { useFolder } from '#server/testing/folders.ts'
import { readableTree } from './readable-tree.ts'

const root = useFolder()

it('copies a folder once for each state, without the modes of the folders above it', async () => {
  const source = path.join(root, 'closed', 'python')
  fs.mkdirSync(path.join(source, 'bin'), { recursive: true, mode: 0o755 })
  fs.writeFileSync(path.join(source, 'bin', 'python'), 'one', { mode: 0o755 })
  fs.symlinkSync('python', path.join(source, 'bin', 'python3'))
  fs.chmodSync(path.join(root, 'closed'), 0o700)
  const copies = path.join(root, 'copies')
  const first = await readableTree(source, copies)
  expect(fs.readFileSync(path.join(first!, 'bin', 'python3'), 'utf8')).toBe('one')
  expect(fs.lstatSync(path.join(first!, 'bin', 'python3')).isSymbolicLink()).toBe(true)
  for (const place of [copies, path.dirname(first!), first!]) expect(fs.statSync(place).mode & 0o777).toBe(0o755)
  expect(await readableTree(source, copies)).toBe(first)
  fs.writeFileSync(path.join(source, 'bin', 'pip'), '')
  const second = await readableTree(source, copies)
  expect(second).not.toBe(first)
  expect(fs.existsSync(path.join(second!, 'bin', 'pip'))).toBe(true)
  expect(await readableTree(path.join(root, 'gone'), copies)).toBeNull()
})
