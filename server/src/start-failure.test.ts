import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { newFolder } from '#server/testing/folders.ts'
import { startFailure } from './start-failure.ts'

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return null
}

test('a database that is none is named with what to do, and not touched', () => {
  const folder = newFolder()
  const database = path.join(folder, 'bashgym.db')
  fs.writeFileSync(database, 'x'.repeat(8192))
  const failure = startFailure(
    thrownBy(() => openDatabase(database)),
    { database },
  ) as Error
  expect(failure).toMatchObject({ code: 'data_dir_refused', hint: expect.stringContaining('restore FILE') as string })
  expect(failure.message).toBe(`The database ${database} is damaged (file is not a database). It was left unchanged.`)
  expect(fs.readFileSync(database, 'utf8')).toBe('x'.repeat(8192))
})

test('a full disk is named with the file; other errors stay what they are', () => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  expect(startFailure(full, { database: '/h/bashgym.db' })).toMatchObject({
    code: 'disk_full',
    message: "The disk is full: can't open /h/bashgym.db.",
  })
  const other = new TypeError('x')
  expect(startFailure(other, { database: '/h/bashgym.db' })).toBe(other)
})
