import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { aHarness, type Content, type Files, git, type Harness, put, TASK_ID, treeOf } from './testing-hand-back.ts'

let harness: Harness
afterEach(() => harness.end())
// the user's, whatever a test before this one has left in its process
const before = process.umask(0o022)
afterAll(() => void process.umask(before))
const begin = (files: Files) => (harness = aHarness(files))

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index}`)
const text = (changes: Record<number, string> = {}, end = '\n') => LINES.map((line, index) => changes[index] ?? line).join(end) + end
const bytes = (...values: number[]) => Buffer.from([0, 255, ...values])

/** Changes of the run and of the user since its start, with the expected files or the reason of the refusal. */
const MATRIX: {
  name: string
  start: Files
  end: Record<string, Content | null>
  user?: Record<string, Content | null>
  gives: Record<string, Content | null> | { no: RegExp }
}[] = [
  { name: 'text, untouched', start: { f: 'a\n' }, end: { f: 'b\n' }, gives: { f: 'b\n' } },
  { name: 'text, the same change', start: { f: 'a\n' }, end: { f: 'b\n' }, user: { f: 'b\n' }, gives: { f: 'b\n' } },
  {
    name: 'text, changed elsewhere',
    start: { f: text() },
    end: { f: text({ 1: 'run' }) },
    user: { f: text({ 18: 'me' }) },
    gives: { f: text({ 1: 'run', 18: 'me' }) },
  },
  {
    name: 'text, changed in the same place',
    start: { f: text() },
    end: { f: text({ 1: 'run' }) },
    user: { f: text({ 1: 'me' }) },
    gives: { no: /the two changes conflict/ },
  },
  {
    name: 'CRLF',
    start: { f: text({}, '\r\n') },
    end: { f: text({ 1: 'run' }, '\r\n') },
    user: { f: text({ 18: 'me' }, '\r\n') },
    gives: { f: text({ 1: 'run', 18: 'me' }, '\r\n') },
  },
  { name: 'no line end at the end', start: { f: 'a\nb' }, end: { f: 'a\nb\nc' }, gives: { f: 'a\nb\nc' } },
  { name: 'binary, untouched', start: { f: bytes(1) }, end: { f: bytes(2) }, gives: { f: bytes(2) } },
  {
    name: 'binary, changed',
    start: { f: bytes(1) },
    end: { f: bytes(2) },
    user: { f: bytes(3) },
    gives: { no: /the two changes conflict/ },
  },
  {
    name: 'mode, and lines of the user',
    start: { f: text() },
    end: { f: { x: text() } },
    user: { f: text({ 3: 'me' }) },
    gives: { f: { x: text({ 3: 'me' }) } },
  },
  { name: 'link, untouched', start: { f: { link: 'a' } }, end: { f: { link: 'b' } }, gives: { f: { link: 'b' } } },
  {
    name: 'link, changed',
    start: { f: { link: 'a' } },
    end: { f: { link: 'b' } },
    user: { f: { link: 'c' } },
    gives: { no: /not a file on all sides/ },
  },
  { name: 'file to link', start: { f: 'a\n' }, end: { f: { link: 'b' } }, gives: { f: { link: 'b' } } },
  { name: 'link to file', start: { f: { link: 'b' } }, end: { f: 'a\n' }, gives: { f: 'a\n' } },
  { name: 'file to folder', start: { f: 'a\n' }, end: { f: null, 'f/g': 'b\n' }, gives: { f: null, 'f/g': 'b\n' } },
  { name: 'folder to file', start: { 'f/g': 'a\n' }, end: { 'f/g': null, f: 'b\n' }, gives: { 'f/g': null, f: 'b\n' } },
  {
    name: 'folder to file, the user has more in it',
    start: { 'f/g': 'a\n' },
    end: { 'f/g': null, f: 'b\n' },
    user: { 'f/mine': '1' },
    gives: { no: /a folder there, with f\/mine/ },
  },
  { name: 'added', start: {}, end: { 'new/f': 'b\n', x: { x: '#!\n' } }, gives: { 'new/f': 'b\n', x: { x: '#!\n' } } },
  {
    name: 'added, a file of the user in the way',
    start: {},
    end: { f: 'b\n' },
    user: { f: 'mine\n' },
    gives: { no: /your folder has another file there/ },
  },
  {
    name: 'added below a link of the user',
    start: {},
    end: { 'd/f': 'b\n' },
    user: { d: { link: '/tmp' } },
    gives: { no: /folder d is a symbolic link/ },
  },
  { name: 'added below a file of the user', start: {}, end: { 'd/f': 'b\n' }, user: { d: 'mine' }, gives: { no: /folder d is a file/ } },
  {
    name: 'changed below what is a link now',
    start: { 'd/f': 'a\n' },
    end: { 'd/f': 'b\n' },
    user: { d: { link: '/tmp' } },
    gives: { no: /folder d is a symbolic link/ },
  },
  { name: 'removed', start: { 'd/f': 'a\n' }, end: { 'd/f': null }, gives: { d: null } },
  { name: 'removed by both', start: { f: 'a\n' }, end: { f: null }, user: { f: null }, gives: { f: null } },
  { name: 'removed, changed by the user', start: { f: 'a\n' }, end: { f: null }, user: { f: 'b\n' }, gives: { no: /you have changed it/ } },
  { name: 'changed, removed by the user', start: { f: 'a\n' }, end: { f: 'b\n' }, user: { f: null }, gives: { no: /you have removed it/ } },
  { name: 'changed, a folder now', start: { f: 'a\n' }, end: { f: 'b\n' }, user: { f: null, 'f/g': 'x' }, gives: { no: /it is a folder/ } },
  { name: 'renamed', start: { old: text() }, end: { old: null, new: text({ 2: 'run' }) }, gives: { old: null, new: text({ 2: 'run' }) } },
  {
    name: 'renamed, changed by the user',
    start: { old: text() },
    end: { old: null, new: text({ 2: 'run' }) },
    user: { old: text({ 9: 'me' }) },
    gives: { no: /you have changed it/ },
  },
  {
    name: 'renamed, a file of the user in the way',
    start: { old: text() },
    end: { old: null, new: text({ 2: 'run' }) },
    user: { new: 'mine\n' },
    gives: { no: /your folder has another file there/ },
  },
  { name: 'odd names', start: { '-x': '1', 'a b "c"': '1', 'ü\n\t': '1', "'": '1' }, end: { '-x': '2', 'a b "c"': '2', 'ü\n\t': '2', "'": '2', ':(top)*': '2' }, gives: { '-x': '2', 'a b "c"': '2', 'ü\n\t': '2', "'": '2', ':(top)*': '2' } }, // prettier-ignore
]

describe('a change that is applied', () => {
  const arrange = ({ start, end, user }: (typeof MATRIX)[number]) => {
    const { change, user: folder } = begin({ keep: 'kept\n', ...start })
    change(end)
    put(folder, { ...user, '.gitignore': 'ignored\n', ignored: 'mine', untracked: 'mine' })
    git(folder, 'add', 'untracked')
    return { ...harness, before: treeOf(folder, { withGit: true }) }
  }

  it.each(MATRIX.filter(({ gives }) => !(gives.no instanceof RegExp)))('$name', async (row) => {
    const { user, before, base, handBack, undo } = arrange(row)
    await handBack()
    const expected = fs.mkdtempSync(path.join(base, 'expected-'))
    fs.cpSync(user, expected, { recursive: true, verbatimSymlinks: true, filter: (file) => path.basename(file) !== '.git' })
    put(expected, row.gives as Record<string, Content | null>)
    expect(treeOf(user)).toEqual(treeOf(expected))
    await undo()
    expect(treeOf(user, { withGit: true })).toEqual(before)
  })

  it.each(MATRIX.filter(({ gives }) => gives.no instanceof RegExp))('$name: refused, nothing touched', async (row) => {
    const { user, before, handBack, refusal } = arrange(row)
    expect(Object.values((await refusal(handBack())) as object).join()).toMatch(row.gives.no as RegExp)
    expect(treeOf(user, { withGit: true })).toEqual(before)
  })

  it('keeps permissions, and gives new files those of their folder', async () => {
    const { change, handBack, user } = begin({ secret: 'a\n', 'open/f': 'a\n' })
    fs.chmodSync(path.join(user, 'secret'), 0o600)
    fs.chmodSync(path.join(user, 'open'), 0o775)
    change({ secret: 'b\n', 'open/new': { x: '#!' } })
    const umask = process.umask(0o077)
    await handBack().finally(() => process.umask(umask))
    expect([treeOf(user)['secret']!.slice(0, 3), treeOf(user)['open/new']!.slice(0, 3)]).toEqual(['600', '775'])
  })

  it('is refused for paths of files that belong to git', async () => {
    const { change, handBack, user, refusal } = begin({ a: '1' })
    const made = change({ a: '2' })
    const blob = git(made.gitDir, 'rev-parse', `${made.end}:a`)
    const entries = (name: string, type: string, oid: string) => `${type === 'tree' ? '040000 tree' : '100644 blob'} ${oid}\t${name}\n`
    const tree = (input: string) => execFileSync('git', ['--git-dir', made.gitDir, 'mktree'], { input, encoding: 'utf8' }).trim()
    const inner = tree(entries('config', 'blob', blob))
    made.end = git(made.gitDir, '-c', 'user.name=x', '-c', 'user.email=x', 'commit-tree', '-m', 'x', tree(entries('.GIT ', 'tree', inner)))
    expect(await refusal(handBack({ selection: [{ path: '.GIT /config' }] }))).toEqual({ '.GIT /config': 'git stores its own files under this name' }) // prettier-ignore
    expect(fs.existsSync(path.join(user, '.GIT '))).toBe(false)
  })

  it('is undone only if the files are unchanged since', async () => {
    const { change, handBack, undo, user, refusal, task } = begin({ a: '1\n', b: '1\n' })
    change({ a: '2\n', b: '2\n' })
    await handBack()
    expect(task().handedBack).toMatchObject({ how: 'apply', canUndo: true, detail: `2 files in ${user}` })
    put(user, { b: 'mine\n' })
    expect(await refusal(undo())).toEqual({ b: 'it was changed since it was handed back' })
    expect(fs.readFileSync(path.join(user, 'a'), 'utf8')).toBe('2\n')
    put(user, { b: '2\n' })
    await undo()
    expect([fs.readFileSync(path.join(user, 'a'), 'utf8'), task().handedBack]).toEqual(['1\n', null])
  })

  it('can be a selection of files and hunks', async () => {
    const { change, handBack, service, signal, user, undo } = begin({ f: text(), g: '1\n' })
    change({ f: text({ 1: 'one', 18: 'two' }), g: '2\n' })
    const { files } = await service.change(TASK_ID, signal)
    const [first, second] = files[0]!.hunks
    await handBack({ selection: [{ path: 'f', hunks: [second!.id] }] })
    expect(fs.readFileSync(path.join(user, 'f'), 'utf8')).toBe(text({ 18: 'two' }))
    expect(await service.whyItStays(TASK_ID)).toBe('dirty')
    await handBack({ selection: [{ path: 'f', hunks: [first!.id, second!.id] }, { path: 'g' }] })
    expect([fs.readFileSync(path.join(user, 'f'), 'utf8'), await service.whyItStays(TASK_ID)]).toEqual([
      text({ 1: 'one', 18: 'two' }),
      null,
    ])
    await undo()
    await undo()
    expect(fs.readFileSync(path.join(user, 'f'), 'utf8')).toBe(text())
  })
})

describe('a change that is committed', () => {
  it('commits only the change: staged and edited files stay as they are', async () => {
    const { change, handBack, undo, user, task } = begin({ f: text(), staged: '1\n', g: '1\n' })
    put(user, { f: text({ 10: 'mine' }), staged: '2\n' })
    git(user, 'add', 'staged')
    change({ f: text({ 1: 'run', 10: 'mine' }), g: null, new: 'n\n' }, { f: text({ 10: 'mine' }), staged: '2\n' })
    const before = [git(user, 'status', '--porcelain'), treeOf(user), git(user, 'ls-files', '-s')]
    await handBack({ how: 'commit', message: 'By the run' })
    expect(git(user, 'show', '--format=%s %an', '--name-status', 'HEAD')).toBe('By the run Me\n\nM\tf\nD\tg\nA\tnew')
    expect(git(user, 'show', 'HEAD:f')).toBe(text({ 1: 'run' }).trim())
    expect(git(user, 'status', '--porcelain').split('\n').map((line) => line.trim())).toEqual(['M f', 'M  staged']) // prettier-ignore
    expect(task().handedBack!.detail).toContain('3 files on main')
    await undo()
    expect([git(user, 'status', '--porcelain'), treeOf(user), git(user, 'ls-files', '-s')]).toEqual(before)
  })

  it('follows a renamed file, and keeps its staged and unstaged edits', async () => {
    const { change, handBack, undo, user, service, signal, refusal } = begin({ old: text() })
    put(user, { old: text({ 8: 'staged' }) })
    git(user, 'add', 'old')
    const mine = { 8: 'staged', 12: 'mine' }
    put(user, { old: text(mine) })
    change({ old: null, 'd/new': text({ ...mine, 1: 'run', 18: 'left out' }) }, { old: text(mine) })
    const before = treeOf(user, { withGit: true })
    const { files } = await service.change(TASK_ID, signal)
    expect(files.map((file) => [file.status, file.from, file.path, file.hunks.length])).toEqual([['renamed', 'old', 'd/new', 2]])
    const selection = [{ path: 'd/new', hunks: [files[0]!.hunks[0]!.id] }]
    put(user, { old: text({ ...mine, 2: 'later' }) })
    expect(await refusal(handBack({ how: 'commit', selection }))).toEqual({ old: 'the run renamed it to d/new, and you have changed it' })
    put(user, { old: text(mine) })
    expect(treeOf(user)).toEqual(Object.fromEntries(Object.entries(before).filter(([name]) => !name.startsWith('.git'))))

    const status = () => [git(user, 'status', '--porcelain'), treeOf(user), git(user, 'ls-files', '-s')]
    const first = status()
    for (const how of ['branch', 'commit'] as const) {
      await handBack({ how, selection, branch: 'renamed' })
      const commit = how === 'branch' ? 'renamed' : 'HEAD'
      expect(git(user, 'show', '--format=', '--name-status', '-M', commit)).toMatch(/^R\d+\told\td\/new$/)
      expect(git(user, 'show', `${commit}:d/new`)).toBe(text({ 1: 'run' }).trim())
    }
    expect(git(user, 'show', ':d/new')).toBe(text({ 1: 'run', 8: 'staged' }).trim())
    expect(fs.readFileSync(path.join(user, 'd/new'), 'utf8')).toBe(text({ ...mine, 1: 'run' }))
    expect(git(user, 'status', '--porcelain')).toBe('MM d/new')
    await undo()
    await undo()
    expect(status()).toEqual(first)
  })

  it('runs no hook or filter, and refuses files that need one', async () => {
    const { change, handBack, user, refusal, base } = begin({ f: 'a\n', '.gitattributes': '*.big filter=boom\n' })
    const mark = path.join(base, 'ran')
    for (const name of ['pre-commit', 'post-commit', 'reference-transaction', 'post-index-change'])
      put(user, { [`.git/hooks/${name}`]: { x: `#!/bin/sh\ntouch '${mark}'\n` } })
    git(user, 'config', 'filter.boom.clean', `touch '${mark}'; cat`)
    git(user, 'config', 'core.fsmonitor', `touch '${mark}'`)
    change({ f: 'b\n', 'x.big': 'b\n' })
    expect(await refusal(handBack({ how: 'commit' }))).toMatchObject({ 'x.big': expect.stringContaining('filter "boom"') })
    await handBack({ how: 'commit', selection: [{ path: 'f' }] })
    expect([git(user, 'show', '--format=', '--name-only', 'HEAD'), fs.existsSync(mark)]).toEqual(['f', false])
  })

  it.each([
    ['index.lock', /another git command/],
    ['MERGE_HEAD', /a merge is in progress/],
    ['rebase-merge', /a rebase is in progress/],
  ])('is refused with %s there', async (name, words) => {
    const { change, handBack, user, refusal } = begin({ f: 'a\n' })
    change({ f: 'b\n' })
    put(user, { [`.git/${name}`]: '' })
    const before = treeOf(user, { withGit: true })
    expect(await refusal(handBack({ how: 'commit' }))).toMatch(words)
    expect(treeOf(user, { withGit: true })).toEqual(before)
  })

  it('restores everything if git locks the ref or the index at the last moment', async () => {
    const { change, handBack, user, refusal } = begin({ f: 'a\n' })
    change({ f: 'b\n' })
    const before = [treeOf(user), git(user, 'status', '--porcelain')]
    put(user, { '.git/refs/heads/main.lock': '' })
    expect(await refusal(handBack({ how: 'commit' }))).toMatch(/everything was restored/)
    fs.rmSync(path.join(user, '.git/refs/heads/main.lock'))
    expect([treeOf(user), git(user, 'status', '--porcelain')]).toEqual(before)
  })

  it('can be merged into a newer branch, and into files with converted line ends', async () => {
    const { change, handBack, user } = begin({ f: text() })
    put(user, { f: text({ 18: 'later' }) })
    git(user, 'commit', '-qam', 'later')
    put(user, { f: text({ 18: 'later' }, '\r\n') })
    change({ f: text({ 1: 'run', 18: 'later' }, '\r\n') }, { f: text({ 18: 'later' }, '\r\n') })
    await handBack({ how: 'commit' })
    expect(git(user, 'show', 'HEAD:f')).toBe(text({ 1: 'run', 18: 'later' }).trim())
    expect(fs.readFileSync(path.join(user, 'f'), 'utf8')).toBe(text({ 1: 'run', 18: 'later' }, '\r\n'))
  })
})

describe('a change on a branch', () => {
  it('changes neither files nor index, and undo removes the branch', async () => {
    const { change, handBack, undo, user, head, refusal, service } = begin({ f: 'a\n', 'd/g': '1\n' })
    change({ f: 'b\n', 'd/g': null, d: 'file\n' })
    put(user, { f: 'mine\n' })
    const before = [treeOf(user), git(user, 'status', '--porcelain'), git(user, 'rev-parse', 'HEAD')]
    await handBack({ how: 'branch', branch: 'from/run' })
    expect(git(user, 'diff', '--name-status', '--no-renames', head, 'from/run')).toBe('A\td\nD\td/g\nM\tf') // prettier-ignore
    expect([treeOf(user), git(user, 'status', '--porcelain'), git(user, 'rev-parse', 'HEAD')]).toEqual(before)
    expect(await refusal(handBack({ how: 'branch', branch: 'from/run' }))).toMatch(/already has a branch/)
    expect(await refusal(handBack({ how: 'branch', branch: '-x' }))).toMatch(/can't be the name/)
    expect(await service.whyItStays(TASK_ID)).toBeNull()
    git(user, 'branch', '-D', 'from/run')
    expect(await service.whyItStays(TASK_ID)).toBe('unpushed')
    expect(await refusal(undo())).toMatch(/has new commits/)
    await handBack({ how: 'branch', branch: 'again' })
    await undo()
    expect(git(user, 'branch', '--format=%(refname:short)')).toBe('main')
  })
})

describe('what is put in place in a repository', () => {
  it('is as git leaves it: packed branches, logs, permissions, a linked working tree', async () => {
    const { change, handBack, undo, user, base, refusal } = begin({ f: 'a\n' })
    change({ f: 'b\n' })
    await handBack({ how: 'branch', branch: 'from/run' })
    git(user, 'pack-refs', '--all')
    expect(await refusal(handBack({ how: 'branch', branch: 'from/run/more' }))).toMatch(/leaves no place/)
    await undo()
    expect(git(user, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    const umask = process.umask(0o077)
    await handBack({ how: 'commit', message: 'x' }).finally(() => process.umask(umask))
    expect(git(user, 'reflog', 'show', '--format=%gs %gn', 'main').split('\n')[0]).toBe('bashgym: hand back Me')
    expect(git(user, 'reflog', 'show', '--format=%gs', 'HEAD').split('\n')[0]).toBe('bashgym: hand back')
    expect([git(user, 'fsck', '--strict', '--no-dangling'), git(user, 'status', '--porcelain')]).toEqual(['', ''])
    const modes = Object.entries(treeOf(user, { withGit: true })).filter(([name, what]) => name.startsWith('.git/') && /^(?:folder )?[67]00/.test(what)) // prettier-ignore
    expect(modes).toEqual([])
    await undo()

    const tree = path.join(base, 'tree')
    git(user, 'worktree', 'add', '-q', '-b', 'side', tree)
    await handBack({ how: 'commit', message: 'x', directory: tree })
    expect([git(tree, 'log', '--format=%s', '-1', 'side'), git(tree, 'status', '--porcelain')]).toEqual(['x', ''])
    expect([git(user, 'log', '--format=%s', '-1', 'main'), git(user, 'fsck', '--strict', '--no-dangling')]).toEqual(['first', ''])
  })
})

describe('a change that is read', () => {
  it('shows every kind of change, and its patch makes the same tree', async () => {
    const start: Files = {
      t: text(),
      bin: bytes(1),
      l: { link: 'a' },
      m: 'x\n',
      old: text({ 0: 'old' }),
      'ü "q"\n': '1',
      gone: 'g\n',
      ty: 'y\n',
    }
    const { change, service, signal, user, base } = begin(start)
    const made = change({ t: text({ 2: 'run' }), bin: bytes(2), l: { link: 'b' }, m: { x: 'x\n' }, old: null, new: text({ 0: 'old', 5: '5' }), 'ü "q"\n': '2', gone: null, ty: { link: 't' }, add: 'no end' }) // prettier-ignore
    const { files } = await service.change(TASK_ID, signal)
    const summaries = Object.fromEntries(
      files.map((file) => [file.path, `${file.status} ${file.kind} ${file.added} ${file.removed} ${file.from ?? ''}`.trim()]),
    )
    expect(summaries).toEqual({
      t: 'modified text 1 1', bin: 'modified binary null null', l: 'modified symlink null null', m: 'mode text 0 0', new: 'renamed text 1 1 old',
      'ü "q"\n': 'modified text 1 1', gone: 'deleted text 0 1', ty: 'type symlink null null', add: 'added text 1 0',
    }) // prettier-ignore
    expect(files.find(({ path: file }) => file === 'add')!.hunks[0]!.lines).toEqual([{ kind: 'added', text: 'no end', before: null, after: 1, noNewline: true }]) // prettier-ignore
    const patch: Uint8Array[] = []
    for await (const part of service.patch(TASK_ID, signal)) patch.push(part)
    fs.writeFileSync(path.join(base, 'p'), Buffer.concat(patch))
    git(user, 'apply', '--index', path.join(base, 'p'))
    expect(git(user, 'write-tree')).toBe(git(made.gitDir, 'rev-parse', `${made.end}^{tree}`))
  })

  it('names the links that lead out of the repository, also those that were only renamed, and writes them as links', async () => {
    const { change, service, signal, handBack, user, base } = begin({ 'd/up': { link: '../f' }, f: 'f\n' })
    const links = { abs: '/etc', 'd/out': '../../x', git: '.git/hooks', in: 'd/../f', up: '../f' }
    change({ 'd/up': null, ...Object.fromEntries(Object.entries(links).map(([name, link]) => [name, { link }])) })
    const { files } = await service.change(TASK_ID, signal)
    expect(Object.fromEntries(files.map((file) => [file.path, file.leadsTo]))).toEqual({ ...links, in: null })
    await handBack()
    expect([fs.readlinkSync(path.join(user, 'abs')), fs.existsSync(path.join(base, 'x'))]).toEqual(['/etc', false])
  })

  it('has a patch of the selected files and hunks', async () => {
    const { change, service, signal, user, base, refusal } = begin({ f: text(), g: '1\n', old: text({ 2: 'old' }), d: 'x\n' })
    change({ f: text({ 1: 'one', 18: 'two' }), g: '2\n', d: null, 'd/e': 'y\n', old: null, moved: text({ 2: 'old', 9: 'new' }) })
    const { files } = await service.change(TASK_ID, signal)
    const [, second] = files.find(({ path: file }) => file === 'f')!.hunks
    const selection = [{ path: 'f', hunks: [second!.id] }, { path: 'moved' }]
    fs.writeFileSync(path.join(base, 'p'), Buffer.concat(await Array.fromAsync(await service.selectedPatch(TASK_ID, selection, signal))))
    git(user, 'apply', path.join(base, 'p'))
    const read = (name: string) => fs.readFileSync(path.join(user, name), 'utf8')
    expect([read('f'), read('g'), read('moved')]).toEqual([text({ 18: 'two' }), '1\n', text({ 2: 'old', 9: 'new' })])
    expect(fs.existsSync(path.join(user, 'old'))).toBe(false)
    const both = 'a folder and a file would have the same name: take both, or neither'
    expect(await refusal(service.selectedPatch(TASK_ID, [{ path: 'd/e' }], signal))).toEqual({ 'd/e': both })
  })

  it('is limited in size, and hunks keep their ids', async () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`d/${index}`, 'a\n']))
    const { change, service, signal } = begin({ f: text() })
    change({ ...many, huge: 'x'.repeat(2_000_000), f: text({ 15: 'x' }) })
    const first = await service.change(TASK_ID, signal)
    expect([first.files.length, first.files.find(({ path: file }) => file === 'huge')!.isShortened]).toEqual([2002, true])
    const before = first.files.find(({ path: file }) => file === 'f')!.hunks[0]!.id
    change({ f: text({ 1: 'above\nabove', 15: 'x' }) })
    expect((await service.change(TASK_ID, signal)).files[0]!.hunks[1]!.id).toBe(before)
  })

  it('is commented line by line, and comments go to the agent once', async () => {
    const { change, service, signal, sent } = begin({ f: 'a\nb\n' })
    change({ f: 'a\nc\n' })
    await service.review(TASK_ID, { read: ['f'], addComment: { path: 'f', line: 2, text: 'Why?' } }, signal)
    await service.review(TASK_ID, { addComment: { path: 'f', line: null, text: 'Tests?' } }, signal)
    await service.sendReview(TASK_ID)
    expect(sent).toEqual(['I have reviewed your changes. Please work these comments in:\n\nf\nTests?\n\nf:2\n> c\nWhy?'])
    await expect(service.sendReview(TASK_ID)).rejects.toThrow('no unsent comment')
    expect((await service.change(TASK_ID, signal)).files[0]!.isRead).toBe(true)
    change({ f: 'a\nd\n' })
    const { files, comments } = await service.change(TASK_ID, signal)
    expect([files[0]!.isRead, comments.every(({ sentAt }) => sentAt !== null)]).toEqual([false, true])
  })
})
