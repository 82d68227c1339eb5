import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { soaking } from '#server/testing/soak.ts'
import { type CarryOut, carryOut, type Write } from './tree/carry-out.ts'
import { type Mark, oidOf } from './tree/found.ts'
import { endJournal, keptIn, readJournal } from './tree/journal.ts'

const TRIES = soaking(100, 1000)
const SWAPPER = path.resolve(import.meta.dirname, '../../../foreign/fixtures/swapper.mjs')
const FACTS = { taskId: 'x', how: 'apply', at: '', detail: '', isWhole: true, ref: null, index: { before: [], after: [] }, undoes: null } as const // prettier-ignore

const listing = (folder: string) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { ino, mode, mtimeMs, ctimeMs, nlink } = fs.lstatSync(path.join(folder, name))
      return [name, ino, mode, mtimeMs, ctimeMs, nlink]
    })

it('writes nothing outside, and nothing in part, while a program swaps folders for links', { timeout: 600_000 }, async () => {
  const base = newFolder()
  const [user, outside, contents] = [path.join(base, 'user'), path.join(base, 'outside'), path.join(base, 'contents')]
  const [before, after] = [Buffer.from('before'), Buffer.from('after!')]
  fs.writeFileSync(contents, after)
  const mark = (bytes: Buffer): Mark => ({ type: 'file', oid: oidOf(bytes), isExecutable: false })
  const fill = (root: string) => {
    for (const name of ['a/x/f', 'b/f', 'f/gone']) {
      fs.mkdirSync(path.join(root, path.dirname(name)), { recursive: true })
      fs.writeFileSync(path.join(root, name), before)
    }
  }
  fill(user)
  fill(outside)
  await withoutSyncs(contents)
  const kept = listing(outside)
  const write = (name: string, old: Buffer | null, next: Buffer | null): Write => ({ path: name, before: old && mark(old), after: next && mark(next), at: 0, size: next?.length ?? 0, mode: null }) // prettier-ignore
  const writes = [write('a/x/f', before, after), write('a/new/f', null, after), write('b/f', before, after), write('f/gone', before, null)]
  const swapper = spawn(process.execPath, [SWAPPER, user, outside], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void swapper.kill('SIGKILL'))
  await once(swapper.stdout, 'data')

  const counts = { applied: 0, refused: 0 }
  for (let n = 0; n < TRIES || (Math.min(counts.applied, counts.refused) === 0 && n < 5000); n += 1) {
    const next = path.join(base, `next-${n}`)
    fill(next)
    fs.renameSync(user, path.join(base, `old-${n}`))
    fs.renameSync(next, user)
    const folder = path.join(base, `journal-${n}`)
    const input: CarryOut = { root: user, folder, contents, writes, folderModes: [], facts: { ...FACTS, index: { before: [], after: [] } } }
    const conflicts = await carryOut(input)
    counts[conflicts.length === 0 ? 'applied' : 'refused'] += 1
    if (conflicts.length === 0) {
      endJournal(folder, 'applied')
      const { steps, folders } = readJournal(folder)!.journal
      const undo = steps.map((step): Write => ({ path: step.path, before: step.after, after: step.before, at: step.kept?.at ?? 0, size: step.kept?.size ?? 0, mode: step.kept?.mode ?? null })) // prettier-ignore
      await carryOut({ ...input, folder: `${folder}-undo`, contents: keptIn(folder), writes: undo, folderModes: folders })
    }
    fs.rmSync(path.join(base, `old-${n}`), { recursive: true })
  }
  expect(swapper.exitCode).toBeNull()
  expect(listing(outside)).toEqual(kept)
  expect(Math.min(counts.applied, counts.refused)).toBeGreaterThan(0) // both were tried
})

/** A sync takes a tenth of a second on a busy disk. */
async function withoutSyncs(file: string): Promise<void> {
  const handle = await fs.promises.open(file)
  const spies = [
    vi.spyOn(Object.getPrototypeOf(handle) as fs.promises.FileHandle, 'sync').mockResolvedValue(undefined),
    vi.spyOn(fs, 'fsyncSync').mockReturnValue(undefined),
  ]
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  await handle.close()
}
