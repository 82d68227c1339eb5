import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { readableCopy, removeOldCopies } from './readable-copy.ts'

it('removes only the copies of programs that are gone', () => {
  const folder = newFolder()
  const copies = path.join(folder, 'copies')
  removeOldCopies(copies) // there is no folder yet
  const [kept, gone] = ['kept', 'gone'].map((name) => {
    const file = path.join(folder, name)
    fs.writeFileSync(file, name)
    const copy = readableCopy({ argv: [file], folders: [folder] }, copies)
    expect(readableCopy({ argv: [file], folders: [folder] }, copies)).toEqual(copy)
    return { file, copy: copy!.argv[0]! }
  }) as [{ file: string; copy: string }, { file: string; copy: string }]
  const unknown = path.join(copies, 'unknown')
  fs.mkdirSync(unknown)
  fs.rmSync(gone.file)
  removeOldCopies(copies)
  expect([kept.copy, path.dirname(gone.copy), unknown].map((place) => fs.existsSync(place))).toEqual([true, false, true])
  expect(fs.readFileSync(kept.copy, 'utf8')).toBe('kept')
})
