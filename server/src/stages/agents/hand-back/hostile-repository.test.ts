import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createUserRepositories, type UserRepositories } from '#server/adapters/git/user-repository.ts'
import { aHarness, type Files, git, type Harness, put, treeOf } from './testing-hand-back.ts'
import { carryOut } from './tree/carry-out.ts'
import { rollBack } from './tree/roll-back.ts'
import survey from './tree/look-at.job.ts'

let harness: Harness
afterEach(() => harness.end())
const PLACES = { path: process.env['PATH'] ?? '', userHome: '/nonexistent' }

/** A repository of somebody else beside the user's, with the same files, and what is in it. */
const aVictim = (files: Files) => {
  const place = path.join(harness.base, 'victim')
  fs.mkdirSync(place)
  put(place, files)
  git(place, 'init', '-q', '-b', 'main')
  git(place, 'add', '-A')
  git(place, 'commit', '-qm', 'theirs')
  const before = treeOf(place, { withGit: true })
  return { place, requireUntouched: () => expect(treeOf(place, { withGit: true })).toEqual(before) }
}

/** Puts a link where a folder is. */
const replace = (folder: string, target: string) => {
  fs.renameSync(folder, `${folder}.aside`)
  fs.symlinkSync(target, folder)
}

/** A repository whose files git compares through a filter, if it uses its settings, when it writes the index. */
const withFilter = (settings: (program: string) => string) => {
  harness = aHarness({ 'a.txt': 'a\n', '.gitattributes': 'a.txt filter=evil\n', f: 'f\n' })
  const { user, base } = harness
  const mark = path.join(base, 'ran')
  for (const name of ['a.txt', '.gitattributes', 'f']) fs.utimesSync(path.join(user, name), 1_577_836_800, 1_577_836_800)
  git(user, 'update-index', '--refresh')
  fs.appendFileSync(
    path.join(user, '.git/config'),
    `[core]\n\ttrustctime = false\n\tcheckStat = minimal\n${settings(`touch '${mark}'; cat`)}`,
  )
  fs.utimesSync(path.join(user, '.git/index'), 1_546_300_800, 1_546_300_800)
  harness.change({ 'new.txt': 'new\n' })
  return { ...harness, hasRun: () => fs.existsSync(mark) }
}

describe('the settings of a repository', () => {
  it('that are too long to list run no filter, and refuse a commit', async () => {
    const long = `[filter "${'A'.repeat(200 * 1024)}"]\n${'\tx = y\n'.repeat(1500)}`
    const { handBack, user, head, refusal, hasRun } = withFilter((program) => `[filter "evil"]\n\tclean = "${program}"\n${long}`)
    const refused = await refusal(handBack({ how: 'commit' }))
    expect([hasRun(), git(user, 'rev-parse', 'main')]).toEqual([false, head])
    expect(refused).toMatch(/git config: it printed too much/)
  })

  it('that git cannot read run no filter, and refuse a commit', async () => {
    const { handBack, user, refusal, hasRun } = withFilter((program) => `[filter "evil"]\n\tclean = "${program}"\n[broken\n`)
    expect(await refusal(handBack({ how: 'commit' }))).toMatch(/bad config line/)
    expect([hasRun(), fs.existsSync(path.join(user, 'new.txt'))]).toEqual([false, false])
  })

  it('that other files add, in any number, run nothing', async () => {
    const { handBack, user, hasRun } = withFilter((program) => {
      put(harness.user, {
        '.git/more': `[filter "evil"]\n\tclean = "${program}"\n\tprocess = "${program}"\n[alias]\n\tls-tree = "!${program}"\n`,
      })
      return `[include]\n\tpath = more\n[core]\n\tfsmonitor = "${program}"\n\tpager = "${program}"\n`
    })
    await handBack({ how: 'commit', message: 'x' })
    expect([hasRun(), git(user, 'show', '--format=%an', '--name-only', 'main')]).toEqual([false, 'Me\n\nnew.txt'])
  })
})

describe('another repository', () => {
  it.each(['commit', 'branch', 'apply'] as const)('that commondir names gets nothing: %s', async (how) => {
    const files = { a: 'a\n' }
    harness = aHarness(files)
    const { user, change, handBack, refusal } = harness
    const victim = aVictim(files)
    change({ 'planted.txt': 'x\n' })
    put(user, { '.git/commondir': `${victim.place}/.git\n` })
    expect(await refusal(handBack({ how, branch: 'planted' }))).toMatch(/a part of another repository/)
    victim.requireUntouched()
    expect(fs.existsSync(path.join(user, 'planted.txt'))).toBe(false)
  })

  it.each<[string, keyof UserRepositories, 'commit' | 'branch']>([
    ['refs/heads', 'moveRef', 'branch'],
    ['refs', 'moveRef', 'commit'],
    ['logs/refs', 'moveRef', 'branch'],
    ['objects', 'store', 'branch'],
    ['objects', 'commit', 'commit'],
    ['', 'setIndex', 'commit'],
  ])('gets nothing when a link to its %s is put in place before %s', async (name, step, how) => {
    const files = { a: 'a\n' }
    const real = createUserRepositories(PLACES)
    let swap = () => {}
    const swapping = (...args: unknown[]): unknown => {
      swap()
      swap = () => {}
      return (real[step] as (...all: unknown[]) => unknown)(...args)
    }
    harness = aHarness(files, {
      repositories: { ...real, identity: () => Promise.resolve({ name: 'Me', email: 'me@x' }), [step]: swapping },
    })
    const { user, change, handBack, refusal } = harness
    const victim = aVictim(files)
    change({ 'planted.txt': 'x\n' })
    swap = () => replace(path.join(user, '.git', name), path.join(victim.place, '.git', name))
    expect(await refusal(handBack({ how, branch: 'planted', message: 'x' }))).toMatch(
      /cannot be read|everything was restored|could not be restored: its index\./,
    )
    victim.requireUntouched()
    expect(fs.existsSync(path.join(user, 'planted.txt'))).toBe(false)
  })
})

describe('a folder above the repository that becomes a link', () => {
  it.each<['survey' | 'carryOut', 'apply' | 'commit' | 'branch']>([
    ['survey', 'apply'],
    ['carryOut', 'apply'],
    ['carryOut', 'commit'],
    ['carryOut', 'branch'],
  ])('before %s leads nowhere: %s', async (step, how) => {
    const files = { a: 'a\n' }
    let swap = () => {}
    const work = {
      survey: (root: string, paths: string[]) => {
        if (step === 'survey') swap()
        return survey({ root, paths })
      },
      carryOut: (input: Parameters<typeof carryOut>[0]) => {
        if (step === 'carryOut') swap()
        return carryOut(input)
      },
      rollBack,
      diff: () => Promise.resolve([]),
    }
    harness = aHarness(files, { work })
    const { base, user, change, handBack, refusal } = harness
    const victim = aVictim(files)
    for (const [name, from] of [
      ['mine', user],
      ['theirs', victim.place],
    ] as const) {
      fs.mkdirSync(path.join(base, name))
      fs.cpSync(from, path.join(base, name, 'repo'), { recursive: true })
    }
    const before = treeOf(path.join(base, 'theirs'), { withGit: true })
    change({ 'planted.txt': 'x\n' })
    swap = () => {
      swap = () => {}
      replace(path.join(base, 'mine'), path.join(base, 'theirs'))
    }
    const refused = await refusal(handBack({ how, directory: path.join(base, 'mine', 'repo'), branch: 'planted', message: 'x' }))
    expect(refused).not.toBeNull()
    expect(treeOf(path.join(base, 'theirs'), { withGit: true })).toEqual(before)
  })
})

describe('a folder that becomes a link', () => {
  it('is put back by undo, and by a run that makes it a folder again', async () => {
    harness = aHarness({ 'p/deep/r': 'r\n', 'p/s': 's\n' })
    const { user, change, handBack, undo } = harness
    const before = treeOf(user)
    change({ p: { link: '../elsewhere' }, 'p/deep/r': null, 'p/s': null })
    await handBack()
    expect(treeOf(user)).toEqual({ p: '-> ../elsewhere' })
    await undo()
    expect(treeOf(user)).toEqual(before)

    await handBack()
    const again = aHarness({ p: { link: '../elsewhere' } })
    again.change({ p: null, 'p/deep/r': 'r\n', 'p/s': 's\n' })
    await again.handBack()
    expect(Object.keys(treeOf(again.user)).toSorted()).toEqual(['p', 'p/deep', 'p/deep/r', 'p/s'])
    await again.undo()
    expect(treeOf(again.user)).toEqual({ p: '-> ../elsewhere' })
    again.end()
  })
})
