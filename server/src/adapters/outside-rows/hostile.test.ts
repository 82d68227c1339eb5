import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { rowsOf } from './index.ts'
import { readOutsideLines } from './lines.ts'

const SECRET = '{"prompt":"a secret outside"}\n'
const parquet = (count: number) =>
  Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'prompt', data: Array.from({ length: count }, (_x, n) => `row ${n}`) }] }))
const rows = (file: string) => Array.fromAsync(rowsOf(file), ({ row, error }) => row ?? error)

/** A folder with a file of rows, which is replaced by a link to a folder of the same content but `SECRET`. */
function swapped(name: string, inside: Buffer | string, outside: Buffer | string) {
  const base = newFolder()
  for (const [folder, content] of [
    ['given', inside],
    ['outside', outside],
  ] as const) {
    // prettier-ignore
    fs.mkdirSync(path.join(base, folder))
    fs.writeFileSync(path.join(base, folder, name), content)
  }
  const given = path.join(base, 'given')
  const swap = () => {
    fs.renameSync(given, path.join(base, 'aside'))
    fs.symlinkSync(path.join(base, 'outside'), given)
  }
  return { file: path.join(given, name), swap }
}

it.each([
  ['rows.jsonl', '{"prompt":"mine"}\n', SECRET],
  ['rows.parquet', parquet(2), parquet(3)],
])('no row of %s is read through a folder that became a link after the file was checked', async (name, inside, outside) => {
  const { file, swap } = swapped(name, inside, outside)
  expect((await rows(file)).length).toBeGreaterThan(0)
  swap()
  await expect(rows(file)).rejects.toMatchObject({ code: 'path_refused', message: expect.stringContaining('is a link or below one') })
  expect(() => [...readOutsideLines(file)]).toThrow(/is a link or below one/)
})

it.each([
  ['rows.jsonl', '{"prompt":"mine"}\n'.repeat(100_000), SECRET],
  ['rows.parquet', parquet(1500), parquet(3000)],
])('a file %s that is replaced while it is read is read to its own end', async (name, inside, outside) => {
  const { file, swap } = swapped(name, inside, outside)
  const before = await rows(file)
  const reading = rowsOf(file)
  const first = await reading.next()
  swap()
  const rest = await Array.fromAsync(reading, ({ row }) => row)
  expect([first.value?.row, ...rest]).toEqual(before)
})

it('a row without an end, and a page that says it is huge, are refused before they take the memory', async () => {
  const folder = newFolder()
  const endless = path.join(folder, 'rows.jsonl')
  fs.writeFileSync(endless, '')
  fs.truncateSync(endless, 300 * 1024 * 1024)
  await expect(rows(endless)).rejects.toMatchObject({
    code: 'path_refused',
    message: 'The row that begins at byte 0 is longer than 256 MB.',
  })
  const data = ['again '.repeat(500_000)]
  const packed = Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'prompt', data, encoding: 'PLAIN' }], codec: 'SNAPPY' }))
  // the header of the page: its kind, its size in 4 bytes, its packed size in 3; then 5 and 2
  expect([4, 5, 6, 11].map((at) => packed[at])).toEqual([0x15, 0x06, 0x15, 0x15])
  packed.set([0xfe, 0xff, 0xff, 0xff, 0x0f, 0x15, 0xc2, 0x0d], 7)
  const huge = path.join(folder, 'huge.parquet')
  fs.writeFileSync(huge, packed)
  await expect(rows(huge)).rejects.toMatchObject({
    code: 'path_refused',
    message: expect.stringContaining('it names a page of 2147483') as string,
  })
})

it('waits for no pipe, and reads no device', async () => {
  const folder = newFolder()
  for (const name of ['rows.jsonl', 'rows.parquet']) execFileSync('mkfifo', [path.join(folder, name)])
  for (const file of [path.join(folder, 'rows.jsonl'), path.join(folder, 'rows.parquet'), '/dev/zero'])
    await expect(rows(file)).rejects.toMatchObject({ code: 'path_refused', message: expect.stringContaining('is not a regular file') })
})

it('a Parquet file that says it has a billion rows, or a huge footer, is refused at once', async () => {
  const file = path.join(newFolder(), 'rows.parquet')
  const honest = parquet(100)
  // counts are zigzag varints: 100 is 0xc8 0x01
  const hundred = Buffer.from([0xc8, 0x01])
  const footerAt = honest.length - 8 - honest.readUInt32LE(honest.length - 8)
  let tried = 0
  for (let at = honest.indexOf(hundred, footerAt); at >= 0; at = honest.indexOf(hundred, at + 1)) {
    const claims = Buffer.concat([honest.subarray(0, at), Buffer.from([0x80, 0xa8, 0xd6, 0xb9, 0x07]), honest.subarray(at + 2)])
    claims.writeUInt32LE(honest.readUInt32LE(honest.length - 8) + 3, claims.length - 8)
    fs.writeFileSync(file, claims)
    const count = await rows(file).then((read) => read.length, (error: unknown) => (error as { code?: string }).code) // prettier-ignore
    expect(count === 'path_refused' || Number(count) <= 100).toBe(true)
    tried += 1
  }
  expect(tried).toBeGreaterThan(1)
  const footer = Buffer.from(honest)
  footer.writeUInt32LE(0xffff_ffff, footer.length - 8)
  fs.writeFileSync(file, footer)
  await expect(rows(file)).rejects.toMatchObject({ code: 'path_refused' })
  // sparse: it takes no disk
  fs.writeFileSync(file, 'PAR1')
  fs.truncateSync(file, 64 * 1024 ** 3)
  await expect(rows(file)).rejects.toMatchObject({ code: 'path_refused' })
})
